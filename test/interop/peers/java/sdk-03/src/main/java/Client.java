import com.fasterxml.jackson.databind.ObjectMapper;
import io.a2a.A2A;
import io.a2a.client.ClientEvent;
import io.a2a.client.MessageEvent;
import io.a2a.client.TaskEvent;
import io.a2a.client.TaskUpdateEvent;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.http.A2ACardResolver;
import io.a2a.client.transport.grpc.GrpcTransport;
import io.a2a.client.transport.grpc.GrpcTransportConfigBuilder;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfigBuilder;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.rest.RestTransportConfigBuilder;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.spec.*;
import io.grpc.ManagedChannelBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of the official Java SDK 0.3, which speaks A2A 0.3. */
public final class Client {
    private static final String TOKEN = "token-of-the-lab";
    private static final int SECONDS = 20;
    private static String baseUrl, binding, webhook, securedUrl, key;
    private static io.a2a.client.Client blocking, polling, streaming;

    interface Case {
        void run() throws Exception;
    }

    /** The SDK has nothing for this case. */
    static final class Skip extends RuntimeException {
        Skip(String reason) {
            super(reason);
        }
    }

    static io.a2a.client.Client open(String url, boolean stream, boolean poll) throws Exception {
        AgentCard card = new A2ACardResolver(url).getAgentCard();
        var builder = io.a2a.client.Client.builder(card)
                .clientConfig(new ClientConfig.Builder()
                        .setStreaming(stream)
                        .setPolling(poll)
                        .setUseClientPreference(true)
                        .build());
        switch (binding) {
            case "GRPC" -> builder.withTransport(GrpcTransport.class, new GrpcTransportConfigBuilder()
                    .channelFactory(address -> ManagedChannelBuilder.forTarget(address).usePlaintext().build()));
            case "HTTP+JSON" -> builder.withTransport(RestTransport.class, new RestTransportConfigBuilder());
            default -> builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfigBuilder());
        }
        return builder.build();
    }

    static Message message(String text, Task task, Part<?>... more) {
        List<Part<?>> parts = new ArrayList<>(List.of(new TextPart(text)));
        parts.addAll(Arrays.asList(more));
        Message.Builder builder = new Message.Builder()
                .role(Message.Role.USER)
                .messageId(UUID.randomUUID().toString())
                .parts(parts);
        if (task != null) builder.taskId(task.getId()).contextId(task.getContextId());
        return builder.build();
    }

    /** The events until one ends the answer. */
    static List<ClientEvent> collect(BlockingQueue<Object> queue, boolean isStream) throws Exception {
        List<ClientEvent> events = new ArrayList<>();
        for (;;) {
            Object next = queue.poll(SECONDS, TimeUnit.SECONDS);
            if (next == null) throw new IllegalStateException("no event within " + SECONDS + " s");
            if (next instanceof Throwable failure) throw failure instanceof Exception e ? e : new Exception(failure);
            events.add((ClientEvent) next);
            if (!isStream || next instanceof MessageEvent) return events;
            Task task = next instanceof TaskEvent event ? event.getTask() : ((TaskUpdateEvent) next).getTask();
            TaskState state = task.getStatus().state();
            if (state.isFinal() || state == TaskState.INPUT_REQUIRED) return events;
        }
    }

    static List<ClientEvent> send(io.a2a.client.Client client, Message message) throws Exception {
        BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        client.sendMessage(message, List.of((event, card) -> queue.add(event)), queue::add);
        return collect(queue, client == streaming);
    }

    static Task task(io.a2a.client.Client client, Message message) throws Exception {
        ClientEvent event = send(client, message).get(0);
        if (event instanceof TaskEvent found) return found.getTask();
        throw new IllegalStateException("expected a task, found " + event);
    }

    static Task task(String text) throws Exception {
        return task(blocking, message(text, null));
    }

    static String text(List<Part<?>> parts) {
        StringBuilder text = new StringBuilder();
        for (Part<?> part : parts) if (part instanceof TextPart found) text.append(found.getText());
        return text.toString();
    }

    static void equal(String what, Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new IllegalStateException(what + ": expected " + expected + ", found " + actual);
        }
    }

    static void expectError(Class<?> kind, Case call) {
        try {
            call.run();
        } catch (Throwable failure) {
            for (Throwable each = failure; each != null; each = each.getCause()) {
                if (kind.isInstance(each)) return;
            }
            throw new IllegalStateException("another error: " + describe(failure));
        }
        throw new IllegalStateException("expected " + kind.getSimpleName() + ", found an answer");
    }

    static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            text.append(each.getClass().getSimpleName()).append(": ").append(each.getMessage()).append(" ");
        }
        return text.substring(0, Math.min(400, text.length())).replaceAll("\\s+", " ");
    }

    static Map<String, Case> cases() {
        Map<String, Case> all = new LinkedHashMap<>();
        all.put("card", () -> {
            AgentCard card = new A2ACardResolver(baseUrl).getAgentCard();
            equal("name", card.name(), "Interoperability agent");
            equal("streaming", card.capabilities().streaming(), true);
            equal("push notifications", card.capabilities().pushNotifications(), true);
            equal("skill", card.skills().get(0).id(), "echo");
        });
        all.put("send", () -> {
            Task task = task("echo hello");
            equal("state", task.getStatus().state(), TaskState.COMPLETED);
            equal("artifact", text(task.getArtifacts().get(0).parts()), "hello");
        });
        all.put("message", () -> {
            ClientEvent event = send(blocking, message("message hello", null)).get(0);
            equal("message", text(((MessageEvent) event).getMessage().getParts()), "hello");
        });
        all.put("nonblocking", () -> {
            Task task = task(polling, message("slow", null));
            TaskState state = task.getStatus().state();
            blocking.cancelTask(new TaskIdParams(task.getId()));
            equal("it is running", state == TaskState.SUBMITTED || state == TaskState.WORKING, true);
        });
        all.put("stream", () -> {
            List<ClientEvent> events = send(streaming, message("stream", null));
            List<String> chunks = new ArrayList<>();
            List<Boolean> flags = new ArrayList<>();
            for (ClientEvent event : events) {
                if (event instanceof TaskUpdateEvent update
                        && update.getUpdateEvent() instanceof TaskArtifactUpdateEvent chunk) {
                    chunks.add(text(chunk.getArtifact().parts()));
                    flags.add(Boolean.TRUE.equals(chunk.isAppend()));
                    flags.add(Boolean.TRUE.equals(chunk.isLastChunk()));
                }
            }
            equal("chunks", chunks, List.of("one ", "two ", "three"));
            equal("append and last chunk", flags, List.of(false, false, true, false, true, true));
        });
        all.put("get", () -> {
            Task task = blocking.getTask(new TaskQueryParams(task("echo hello").getId(), 5));
            equal("artifact", text(task.getArtifacts().get(0).parts()), "hello");
            equal("history", task.getHistory().get(0).getRole(), Message.Role.USER);
        });
        all.put("list", () -> {
            throw new Skip("A2A 0.3 cannot list tasks");
        });
        all.put("ask", () -> {
            Task asked = task("ask");
            equal("state", asked.getStatus().state(), TaskState.INPUT_REQUIRED);
            equal("question", text(asked.getStatus().message().getParts()), "Which colour?");
            Task answered = task(blocking, message("blue", asked));
            equal("task", answered.getId(), asked.getId());
            equal("artifact", text(answered.getArtifacts().get(0).parts()), "you said blue");
        });
        all.put("fail", () -> {
            Task task = task("fail");
            equal("state", task.getStatus().state(), TaskState.FAILED);
            equal("reason", text(task.getStatus().message().getParts()), "failed on purpose");
        });
        all.put("cancel", () -> {
            Task task = task(polling, message("slow", null));
            equal("state", blocking.cancelTask(new TaskIdParams(task.getId())).getStatus().state(), TaskState.CANCELED);
        });
        all.put("subscribe", () -> {
            TaskIdParams id = new TaskIdParams(task(polling, message("slow", null)).getId());
            BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
            streaming.resubscribe(id, List.of((event, card) -> {
                if (event instanceof TaskEvent) {
                    new Thread(() -> {
                        try {
                            blocking.cancelTask(id);
                        } catch (Exception failure) {
                            queue.add(failure);
                        }
                    }).start();
                }
                queue.add(event);
            }), queue::add);
            List<ClientEvent> events = collect(queue, true);
            Task last = ((TaskUpdateEvent) events.get(events.size() - 1)).getTask();
            equal("last state", last.getStatus().state(), TaskState.CANCELED);
        });
        all.put("receive-file", () -> {
            List<Part<?>> parts = task("file").getArtifacts().get(0).parts();
            FileWithBytes file = (FileWithBytes) ((FilePart) parts.get(0)).getFile();
            FileWithUri link = (FileWithUri) ((FilePart) parts.get(1)).getFile();
            equal("bytes", new String(Base64.getDecoder().decode(file.bytes())), "hello, file");
            equal("name", file.name(), "hello.txt");
            equal("link", link.uri(), "https://example.com/report.pdf");
            equal("data", ((Number) ((DataPart) parts.get(2)).getData().get("answer")).intValue(), 42);
        });
        all.put("send-file", () -> {
            byte[] content = new byte[256];
            for (int index = 0; index < content.length; index++) content[index] = (byte) index;
            String encoded = Base64.getEncoder().encodeToString(content);
            FilePart part = new FilePart(new FileWithBytes("application/octet-stream", "bytes.bin", encoded));
            Task task = task(blocking, message("mirror", null, part));
            FileWithBytes file = (FileWithBytes) ((FilePart) task.getArtifacts().get(0).parts().get(0)).getFile();
            equal("bytes", file.bytes(), encoded);
            equal("name", file.name(), "bytes.bin");
        });
        all.put("push-config", () -> {
            String id = task("echo hello").getId();
            PushNotificationConfig config = new PushNotificationConfig(webhook + "/unused", TOKEN, null, "one");
            blocking.setTaskPushNotificationConfiguration(new TaskPushNotificationConfig(id, config));
            var asked = new GetTaskPushNotificationConfigParams(id, "one");
            equal("url", blocking.getTaskPushNotificationConfiguration(asked).pushNotificationConfig().url(), config.url());
            equal("length of the list",
                    blocking.listTaskPushNotificationConfigurations(new ListTaskPushNotificationConfigParams(id)).size(), 1);
            blocking.deleteTaskPushNotificationConfigurations(new DeleteTaskPushNotificationConfigParams(id, "one"));
            expectError(Throwable.class, () -> blocking.getTaskPushNotificationConfiguration(asked));
        });
        all.put("push-delivery", () -> {
            String address = webhook + "/" + UUID.randomUUID();
            blocking.sendMessage(message("echo hello", null), new PushNotificationConfig(address, TOKEN, null, null), Map.of());
            HttpResponse<String> answer = HttpClient.newHttpClient().send(
                    HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
            equal("notification", answer.body(), "{\"token\":\"" + TOKEN + "\"}");
        });
        all.put("error-task-not-found", () -> expectError(TaskNotFoundError.class,
                () -> blocking.getTask(new TaskQueryParams(UUID.randomUUID().toString()))));
        all.put("error-not-cancelable", () -> {
            TaskIdParams id = new TaskIdParams(task("echo hello").getId());
            expectError(TaskNotCancelableError.class, () -> blocking.cancelTask(id));
        });
        all.put("error-message-to-ended", () -> {
            Task task = task("echo hello");
            expectError(UnsupportedOperationError.class, () -> send(blocking, message("echo again", task)));
        });
        all.put("error-content-type", () -> {
            FilePart audio = new FilePart(new FileWithBytes("audio/ogg", null, "LQ=="));
            expectError(ContentTypeNotSupportedError.class, () -> send(blocking, message("mirror", null, audio)));
        });
        all.put("extended-card", () -> {
            var headers = Map.of("Authorization", "Bearer " + key);
            AgentCard card = open(securedUrl, false, false).getAgentCard(new ClientCallContext(Map.of(), headers));
            equal("skill", card.skills().get(1).id(), "secret");
        });
        all.put("unauthenticated", () -> {
            try {
                open(securedUrl, false, false).getTask(new TaskQueryParams(UUID.randomUUID().toString()));
            } catch (Exception failure) {
                String text = describe(failure).toLowerCase();
                if (text.contains("401") || text.contains("unauthenticated") || text.contains("authenticat")) return;
                throw failure;
            }
            throw new IllegalStateException("the call succeeded without a key");
        });
        return all;
    }

    public static void main(String[] words) throws Exception {
        baseUrl = words[0];
        binding = words[1];
        webhook = words[3];
        securedUrl = words[4];
        key = words[5];
        blocking = open(baseUrl, false, false);
        polling = open(baseUrl, false, true);
        streaming = open(baseUrl, true, false);
        ObjectMapper json = new ObjectMapper();
        for (var each : cases().entrySet()) {
            Map<String, Object> line = new LinkedHashMap<>(Map.of("case", each.getKey(), "ok", true, "detail", ""));
            try {
                each.getValue().run();
            } catch (Skip reason) {
                line.putAll(Map.of("ok", false, "skipped", true, "detail", reason.getMessage()));
            } catch (Throwable failure) {
                line.putAll(Map.of("ok", false, "detail", describe(failure)));
            }
            System.out.println(json.writeValueAsString(line));
        }
        System.exit(0);
    }
}
