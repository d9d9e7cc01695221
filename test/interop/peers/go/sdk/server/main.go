// A server of the official Go SDK with the behaviours of the lab.
package main

import (
	"context"
	"fmt"
	"iter"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"google.golang.org/grpc"
)

var port, grpcPort, binding, version = os.Args[1], os.Args[2], os.Args[3], os.Args[4]

type agent struct{}

func files() []*a2a.Part {
	file := a2a.NewRawPart([]byte("hello, file"))
	file.Filename, file.MediaType = "hello.txt", "text/plain"
	link := a2a.NewFileURLPart("https://example.com/report.pdf", "application/pdf")
	link.Filename = "report.pdf"
	return []*a2a.Part{file, link, a2a.NewDataPart(map[string]any{"answer": 42})}
}

func artifact(id string, parts ...*a2a.Part) func(a2a.TaskInfoProvider) a2a.Event {
	return func(info a2a.TaskInfoProvider) a2a.Event {
		event := a2a.NewArtifactUpdateEvent(info, a2a.ArtifactID(id), parts...)
		event.Append = false
		event.Artifact.Name = id
		return event
	}
}

func (agent) Execute(ctx context.Context, turn *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		text := ""
		var others []*a2a.Part
		for _, part := range turn.Message.Parts {
			text += part.Text()
			if part.Text() == "" {
				others = append(others, part)
			}
		}
		word, rest, _ := strings.Cut(text, " ")
		if word == "message" {
			yield(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart(rest)), nil)
			return
		}
		status := func(state a2a.TaskState, words string) bool {
			var message *a2a.Message
			if words != "" {
				message = a2a.NewMessageForTask(a2a.MessageRoleAgent, turn, a2a.NewTextPart(words))
			}
			return yield(a2a.NewStatusUpdateEvent(turn, state, message), nil)
		}
		if turn.StoredTask == nil && !yield(a2a.NewSubmittedTask(turn, turn.Message), nil) {
			return
		}
		var events []func(a2a.TaskInfoProvider) a2a.Event
		switch {
		case turn.StoredTask != nil:
			events = append(events, artifact("answer", a2a.NewTextPart("you said "+text)))
		case word == "stream":
			for index, number := range []string{"one ", "two ", "three"} {
				events = append(events, func(info a2a.TaskInfoProvider) a2a.Event {
					event := a2a.NewArtifactUpdateEvent(info, "numbers", a2a.NewTextPart(number))
					event.Append, event.LastChunk = index > 0, index == 2
					return event
				})
			}
		case word == "ask":
			status(a2a.TaskStateInputRequired, "Which colour?")
			return
		case word == "fail":
			status(a2a.TaskStateFailed, "failed on purpose")
			return
		case word == "slow":
			if !status(a2a.TaskStateWorking, "") {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Minute):
			}
		case word == "file":
			events = append(events, artifact("file", files()...))
		case word == "mirror":
			events = append(events, artifact("mirror", others...))
		default:
			events = append(events, artifact("echo", a2a.NewTextPart(rest)))
		}
		for _, event := range events {
			if !yield(event(turn), nil) {
				return
			}
		}
		status(a2a.TaskStateCompleted, "")
	}
}

func (agent) Cancel(_ context.Context, turn *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(turn, a2a.TaskStateCanceled, nil), nil)
	}
}

func main() {
	urls := map[string]string{
		"JSONRPC":   "http://127.0.0.1:" + port + "/jsonrpc",
		"HTTP+JSON": "http://127.0.0.1:" + port + "/rest",
		"GRPC":      "127.0.0.1:" + grpcPort,
	}
	card := &a2a.AgentCard{
		Name:        "Peer",
		Description: "An agent of the official Go SDK.",
		Version:     "1.0.0",
		SupportedInterfaces: []*a2a.AgentInterface{{
			URL:             urls[binding],
			ProtocolBinding: a2a.TransportProtocol(binding),
			ProtocolVersion: a2a.ProtocolVersion(version),
		}},
		Capabilities:       a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		DefaultInputModes:  []string{"text/plain", "application/octet-stream"},
		DefaultOutputModes: []string{"text/plain", "application/octet-stream"},
		Skills:             []a2a.AgentSkill{{ID: "echo", Name: "Echo", Description: "Returns what you send.", Tags: []string{"test"}}},
	}
	// Without an authenticator the store lists tasks for nobody.
	store := taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{
		Authenticator: func(context.Context) (string, error) { return "anybody", nil },
	})
	handler := a2asrv.NewHandler(agent{}, a2asrv.WithTaskStore(store), a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(&push.HTTPSenderConfig{AllowPrivateNetworks: true})))
	grpcServer := grpc.NewServer()
	mux := http.NewServeMux()
	if version == "0.3" {
		grpcv0.NewHandler(handler).RegisterWith(grpcServer)
		mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewAgentCardHandler(a2av0.NewStaticAgentCardProducer(card)))
		mux.Handle("/jsonrpc", a2av0.NewJSONRPCHandler(handler))
		mux.Handle("/rest/", http.StripPrefix("/rest", a2av0.NewRESTHandler(handler)))
	} else {
		grpcv1.NewHandler(handler).RegisterWith(grpcServer)
		mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
		mux.Handle("/jsonrpc", a2asrv.NewJSONRPCHandler(handler))
		mux.Handle("/rest/", http.StripPrefix("/rest", a2asrv.NewRESTHandler(handler)))
	}
	grpcListener, err := net.Listen("tcp", "127.0.0.1:"+grpcPort)
	if err != nil {
		panic(err)
	}
	go func() { panic(grpcServer.Serve(grpcListener)) }()
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	fmt.Println("http://127.0.0.1:" + port)
	panic(http.Serve(listener, mux))
}
