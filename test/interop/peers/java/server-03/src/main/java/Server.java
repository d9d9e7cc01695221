import io.a2a.server.PublicAgentCard;
import io.a2a.server.TransportMetadata;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.server.requesthandlers.RequestHandler;
import io.a2a.server.tasks.TaskUpdater;
import io.a2a.server.util.async.Internal;
import io.a2a.spec.*;
import io.a2a.transport.grpc.handler.CallContextFactory;
import io.a2a.transport.grpc.handler.GrpcHandler;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** A server of the official Java SDK 0.3, an application of Quarkus, with the behaviours of the lab. */
@QuarkusMain
public class Server implements QuarkusApplication {
    private static String base, binding, grpcPort;

    @Inject
    RequestHandler handler;

    @Inject
    @Internal
    Executor executor;

    public static void main(String[] words) {
        base = "http://127.0.0.1:" + words[0];
        grpcPort = words[1];
        binding = words[2];
        System.setProperty("quarkus.http.port", words[0]);
        Quarkus.run(Server.class);
    }

    @Override
    public int run(String... words) throws IOException {
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", Integer.parseInt(grpcPort)))
                .addService(new Grpc())
                .build()
                .start();
        System.out.println(base);
        Quarkus.waitForExit();
        return 0;
    }

    /** Tells the SDK, which checks the card, that the server has gRPC. */
    public static final class GrpcMetadata implements TransportMetadata {
        @Override
        public String getTransportProtocol() {
            return "GRPC";
        }
    }

    /** What the SDK leaves open in its service. Its own server for gRPC is not in the registry. */
    private final class Grpc extends GrpcHandler {
        @Override
        protected RequestHandler getRequestHandler() {
            return handler;
        }

        @Override
        protected AgentCard getAgentCard() {
            return card();
        }

        @Override
        protected CallContextFactory getCallContextFactory() {
            return null;
        }

        @Override
        protected Executor getExecutor() {
            return executor;
        }
    }

    @Produces
    @PublicAgentCard
    AgentCard card() {
        List<String> modes = List.of("text/plain", "application/octet-stream");
        return new AgentCard.Builder()
                .name("Peer")
                .description("An agent of the official Java SDK.")
                .version("1.0.0")
                .protocolVersion("0.3.0")
                .url(binding.equals("GRPC") ? "127.0.0.1:" + grpcPort : base)
                .preferredTransport(binding)
                .capabilities(new AgentCapabilities.Builder().streaming(true).pushNotifications(true).build())
                .defaultInputModes(modes)
                .defaultOutputModes(modes)
                .skills(List.of(new AgentSkill.Builder()
                        .id("echo")
                        .name("Echo")
                        .description("Returns what you send.")
                        .tags(List.of("test"))
                        .build()))
                .build();
    }

    @Produces
    AgentExecutor agent() {
        return new Agent();
    }

    private static final class Agent implements AgentExecutor {
        @Override
        public void execute(RequestContext turn, EventQueue queue) {
            TaskUpdater updater = new TaskUpdater(turn, queue);
            String text = turn.getUserInput("");
            String[] words = text.split(" ", 2);
            String rest = words.length == 2 ? words[1] : "";
            if (words[0].equals("message")) {
                queue.enqueueEvent(say(updater, rest));
                return;
            }
            boolean isAnswer = turn.getTask() != null;
            if (!isAnswer) {
                queue.enqueueEvent(new Task.Builder()
                        .id(turn.getTaskId())
                        .contextId(turn.getContextId())
                        .status(new TaskStatus(TaskState.SUBMITTED))
                        .history(turn.getMessage())
                        .build());
            }
            switch (isAnswer ? "answer" : words[0]) {
                case "answer" -> addArtifact(updater, "answer", new TextPart("you said " + text));
                case "stream" -> {
                    List<String> numbers = List.of("one ", "two ", "three");
                    for (int index = 0; index < 3; index++) {
                        List<Part<?>> parts = List.of(new TextPart(numbers.get(index)));
                        updater.addArtifact(parts, "numbers", "numbers", null, index > 0, index == 2);
                    }
                }
                case "ask" -> {
                    updater.requiresInput(say(updater, "Which colour?"), true);
                    return;
                }
                case "fail" -> {
                    updater.fail(say(updater, "failed on purpose"));
                    return;
                }
                case "slow" -> {
                    updater.startWork();
                    try {
                        Thread.sleep(60_000);
                    } catch (InterruptedException canceled) {
                        return;
                    }
                }
                case "file" -> addArtifact(updater, "file",
                        new FilePart(new FileWithBytes("text/plain", "hello.txt", "aGVsbG8sIGZpbGU=")),
                        new FilePart(new FileWithUri("application/pdf", "report.pdf", "https://example.com/report.pdf")),
                        new DataPart(Map.of("answer", 42)));
                case "mirror" -> addArtifact(updater, "mirror", turn.getMessage().getParts().stream()
                        .filter(part -> part.getKind() != Part.Kind.TEXT)
                        .toArray(Part<?>[]::new));
                default -> addArtifact(updater, "echo", new TextPart(rest));
            }
            updater.complete();
        }

        @Override
        public void cancel(RequestContext turn, EventQueue queue) {
            new TaskUpdater(turn, queue).cancel();
        }

        private static void addArtifact(TaskUpdater updater, String id, Part<?>... parts) {
            updater.addArtifact(List.of(parts), id, id, null);
        }

        private static Message say(TaskUpdater updater, String words) {
            return updater.newAgentMessage(List.of(new TextPart(words)), null);
        }
    }
}
