// A client of the official Go SDK, for A2A 1.0 and, by its compatibility packages, 0.3.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	timeout   = 30 * time.Second
	pushToken = "token-of-the-lab"
)

var baseURL, binding, version, webhook, securedURL, key = os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]
var isLegacy = version == "0.3"

// skip says what the SDK does not have.
type skip string

func (s skip) Error() string { return string(s) }

// bearer adds the key to every request.
type bearer struct{ a2aclient.PassthroughInterceptor }

func (bearer) Before(ctx context.Context, req *a2aclient.Request) (context.Context, any, error) {
	req.ServiceParams.Append("Authorization", "Bearer "+key)
	return ctx, nil, nil
}

// open uses default discovery: the resolver is given the base URL. The binding and 0.3 are chosen by hiding other interfaces.
func open(ctx context.Context, url string, more ...a2aclient.FactoryOption) (*a2aclient.Client, *a2a.AgentCard, error) {
	resolver := agentcard.NewResolver(http.DefaultClient)
	if isLegacy {
		resolver.CardParser = a2av0.NewAgentCardParser()
	}
	card, err := resolver.Resolve(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	var usable []*a2a.AgentInterface
	for _, each := range card.SupportedInterfaces {
		if string(each.ProtocolBinding) == binding && strings.HasPrefix(string(each.ProtocolVersion), version) {
			usable = append(usable, each)
		}
	}
	chosen := *card
	chosen.SupportedInterfaces = usable
	dial := grpc.WithTransportCredentials(insecure.NewCredentials())
	options := append([]a2aclient.FactoryOption{grpcv1.WithGRPCTransport(dial)}, more...)
	if isLegacy {
		// The SDK's options for 0.3 expect "0.3" on the card, and its parser passes on what the card says, such as "0.3.0".
		for _, each := range usable {
			each.ProtocolVersion = a2av0.Version
		}
		options = append(options,
			a2aclient.WithCompatTransport(a2av0.Version, a2a.TransportProtocolJSONRPC, a2av0.NewJSONRPCTransportFactory(a2av0.JSONRPCTransportConfig{})),
			a2aclient.WithCompatTransport(a2av0.Version, a2a.TransportProtocolHTTPJSON, a2av0.NewRESTTransportFactory(a2av0.RESTTransportConfig{})),
			a2aclient.WithCompatTransport(a2av0.Version, a2a.TransportProtocolGRPC, grpcv0.NewGRPCTransportFactory(dial)))
	}
	client, err := a2aclient.NewFromCard(ctx, &chosen, options...)
	return client, card, err
}

func check(ok bool, format string, values ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, values...)
}

func equal(what string, actual, expected any) error {
	return check(reflect.DeepEqual(actual, expected), "%s: expected %.120v, found %.120v", what, expected, actual)
}

func textOf(parts a2a.ContentParts) string {
	text := ""
	for _, part := range parts {
		text += part.Text()
	}
	return text
}

type runner struct{ *a2aclient.Client }

func request(text string, edit func(*a2a.SendMessageRequest)) *a2a.SendMessageRequest {
	req := &a2a.SendMessageRequest{
		Message: a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text)),
		Config:  &a2a.SendMessageConfig{},
	}
	if edit != nil {
		edit(req)
	}
	return req
}

func immediately(req *a2a.SendMessageRequest) { req.Config.ReturnImmediately = true }

func to(task *a2a.Task) func(*a2a.SendMessageRequest) {
	return func(req *a2a.SendMessageRequest) {
		req.Message.TaskID = task.ID
		req.Message.ContextID = task.ContextID
	}
}

func (r runner) task(ctx context.Context, text string, edit func(*a2a.SendMessageRequest)) (*a2a.Task, error) {
	answer, err := r.SendMessage(ctx, request(text, edit))
	if err != nil {
		return nil, err
	}
	if task, ok := answer.(*a2a.Task); ok {
		return task, nil
	}
	return nil, fmt.Errorf("expected a task, found %T", answer)
}

func collect(events iter.Seq2[a2a.Event, error]) ([]a2a.Event, error) {
	var all []a2a.Event
	for event, err := range events {
		if err != nil {
			return all, err
		}
		all = append(all, event)
	}
	return all, nil
}

func lastState(events []a2a.Event) a2a.TaskState {
	if len(events) > 0 {
		if update, ok := events[len(events)-1].(*a2a.TaskStatusUpdateEvent); ok {
			return update.Status.State
		}
	}
	return ""
}

func expectError(err error, kinds ...error) error {
	if err == nil {
		return errors.New("expected an error, found an answer")
	}
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			return nil
		}
	}
	return fmt.Errorf("another error: %w", err)
}

type test struct {
	name string
	run  func(context.Context, runner, *a2a.AgentCard) error
}

var tests = []test{
	{"card", func(ctx context.Context, r runner, card *a2a.AgentCard) error {
		return errors.Join(
			equal("name", card.Name, "Interoperability agent"),
			equal("streaming", card.Capabilities.Streaming, true),
			equal("push notifications", card.Capabilities.PushNotifications, true),
			equal("skill", card.Skills[0].ID, "echo"))
	}},
	{"send", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "echo hello", nil)
		if err != nil {
			return err
		}
		return errors.Join(equal("state", task.Status.State, a2a.TaskStateCompleted), equal("artifact", textOf(task.Artifacts[0].Parts), "hello"))
	}},
	{"message", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		answer, err := r.SendMessage(ctx, request("message hello", nil))
		if err != nil {
			return err
		}
		message, ok := answer.(*a2a.Message)
		if !ok {
			return fmt.Errorf("expected a message, found %T", answer)
		}
		return equal("message", textOf(message.Parts), "hello")
	}},
	{"nonblocking", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "slow", immediately)
		if err != nil {
			return err
		}
		state := task.Status.State
		_, err = r.CancelTask(ctx, &a2a.CancelTaskRequest{ID: task.ID})
		return errors.Join(err, check(state == a2a.TaskStateSubmitted || state == a2a.TaskStateWorking, "state: %v", state))
	}},
	{"stream", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		events, err := collect(r.SendStreamingMessage(ctx, request("stream", nil)))
		if err != nil {
			return err
		}
		var chunks []string
		var flags []bool
		for _, event := range events {
			if update, ok := event.(*a2a.TaskArtifactUpdateEvent); ok {
				chunks = append(chunks, textOf(update.Artifact.Parts))
				flags = append(flags, update.Append, update.LastChunk)
			}
		}
		_, isTask := events[0].(*a2a.Task)
		return errors.Join(
			check(isTask, "the first event is %T", events[0]),
			equal("chunks", chunks, []string{"one ", "two ", "three"}),
			equal("append and last chunk", flags, []bool{false, false, true, false, true, true}),
			equal("last state", lastState(events), a2a.TaskStateCompleted))
	}},
	{"get", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "echo hello", nil)
		if err != nil {
			return err
		}
		whole, err := r.GetTask(ctx, &a2a.GetTaskRequest{ID: task.ID})
		if err != nil {
			return err
		}
		err = errors.Join(equal("artifact", textOf(whole.Artifacts[0].Parts), "hello"), check(len(whole.History) > 0, "the history is empty"))
		if err != nil || isLegacy && binding == "GRPC" {
			return err
		}
		none := 0
		short, err := r.GetTask(ctx, &a2a.GetTaskRequest{ID: task.ID, HistoryLength: &none})
		if err != nil {
			return err
		}
		return equal("length of the history", len(short.History), 0)
	}},
	{"list", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		if isLegacy {
			return skip("A2A 0.3 cannot list tasks")
		}
		first, err := r.task(ctx, "echo one", nil)
		if err != nil {
			return err
		}
		if _, err = r.task(ctx, "echo two", func(req *a2a.SendMessageRequest) { req.Message.ContextID = first.ContextID }); err != nil {
			return err
		}
		page, err := r.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: first.ContextID, PageSize: 1})
		if err != nil {
			return err
		}
		rest, err := r.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: first.ContextID, PageToken: page.NextPageToken, IncludeArtifacts: true})
		if err != nil {
			return err
		}
		return errors.Join(equal("page", []int{len(page.Tasks), page.TotalSize}, []int{1, 2}), equal("second page", textOf(rest.Tasks[0].Artifacts[0].Parts), "one"))
	}},
	{"ask", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		asked, err := r.task(ctx, "ask", nil)
		if err != nil {
			return err
		}
		if err = errors.Join(equal("state", asked.Status.State, a2a.TaskStateInputRequired), equal("question", textOf(asked.Status.Message.Parts), "Which colour?")); err != nil {
			return err
		}
		answered, err := r.task(ctx, "blue", to(asked))
		if err != nil {
			return err
		}
		return errors.Join(equal("task", answered.ID, asked.ID), equal("state", answered.Status.State, a2a.TaskStateCompleted), equal("artifact", textOf(answered.Artifacts[0].Parts), "you said blue"))
	}},
	{"ask-stream", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		events, err := collect(r.SendStreamingMessage(ctx, request("ask", nil)))
		return errors.Join(err, equal("last state", lastState(events), a2a.TaskStateInputRequired))
	}},
	{"fail", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "fail", nil)
		if err != nil {
			return err
		}
		return errors.Join(equal("state", task.Status.State, a2a.TaskStateFailed), equal("reason", textOf(task.Status.Message.Parts), "failed on purpose"))
	}},
	{"cancel", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "slow", immediately)
		if err != nil {
			return err
		}
		canceled, err := r.CancelTask(ctx, &a2a.CancelTaskRequest{ID: task.ID})
		if err != nil {
			return err
		}
		return equal("state", canceled.Status.State, a2a.TaskStateCanceled)
	}},
	{"subscribe", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "slow", immediately)
		if err != nil {
			return err
		}
		var events []a2a.Event
		for event, err := range r.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: task.ID}) {
			if err != nil {
				return err
			}
			if len(events) == 0 {
				if _, err := r.CancelTask(ctx, &a2a.CancelTaskRequest{ID: task.ID}); err != nil {
					return err
				}
			}
			events = append(events, event)
		}
		if len(events) == 0 {
			return errors.New("no event came")
		}
		_, isTask := events[0].(*a2a.Task)
		return errors.Join(check(isTask, "the first event is %T", events[0]), equal("last state", lastState(events), a2a.TaskStateCanceled))
	}},
	{"receive-file", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "file", nil)
		if err != nil {
			return err
		}
		parts := task.Artifacts[0].Parts
		data, _ := json.Marshal(parts[2].Data())
		return errors.Join(
			equal("file", []string{string(parts[0].Raw()), parts[0].Filename, parts[0].MediaType}, []string{"hello, file", "hello.txt", "text/plain"}),
			equal("link", []string{string(parts[1].URL()), parts[1].Filename}, []string{"https://example.com/report.pdf", "report.pdf"}),
			equal("data", string(data), `{"answer":42}`))
	}},
	{"send-file", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		content := make([]byte, 256)
		for index := range content {
			content[index] = byte(index)
		}
		task, err := r.task(ctx, "mirror", func(req *a2a.SendMessageRequest) {
			part := a2a.NewRawPart(content)
			part.Filename, part.MediaType = "bytes.bin", "application/octet-stream"
			req.Message.Parts = append(req.Message.Parts, part)
		})
		if err != nil {
			return err
		}
		part := task.Artifacts[0].Parts[0]
		return errors.Join(check(bytes.Equal(part.Raw(), content), "other bytes came back"), equal("file", []string{part.Filename, part.MediaType}, []string{"bytes.bin", "application/octet-stream"}))
	}},
	{"push-config", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "echo hello", nil)
		if err != nil {
			return err
		}
		created, err := r.CreateTaskPushConfig(ctx, &a2a.PushConfig{TaskID: task.ID, ID: "one", URL: webhook + "/unused", Token: pushToken})
		if err != nil {
			return fmt.Errorf("create: %w", err)
		}
		read, err := r.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: task.ID, ID: "one"})
		if err != nil {
			return fmt.Errorf("get: %w", err)
		}
		listed, err := r.ListTaskPushConfigs(ctx, &a2a.ListTaskPushConfigRequest{TaskID: task.ID})
		if err != nil {
			return fmt.Errorf("list: %w", err)
		}
		if err = r.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigRequest{TaskID: task.ID, ID: "one"}); err != nil {
			return fmt.Errorf("delete: %w", err)
		}
		_, err = r.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: task.ID, ID: "one"})
		return errors.Join(
			equal("created", []string{string(created.TaskID), created.ID}, []string{string(task.ID), "one"}),
			equal("url", read.URL, webhook+"/unused"),
			equal("length of the list", len(listed), 1),
			check(err != nil, "the deleted configuration is still there"))
	}},
	{"push-delivery", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		address := webhook + "/" + a2a.NewMessageID()
		_, err := r.task(ctx, "echo hello", func(req *a2a.SendMessageRequest) {
			req.Config.PushConfig = &a2a.PushConfig{URL: address, Token: pushToken}
		})
		if err != nil {
			return err
		}
		response, err := http.Get(address)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return equal("notification", string(text), `{"token":"`+pushToken+`"}`)
	}},
	{"error-task-not-found", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		_, err := r.GetTask(ctx, &a2a.GetTaskRequest{ID: a2a.NewTaskID()})
		return expectError(err, a2a.ErrTaskNotFound)
	}},
	{"error-not-cancelable", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "echo hello", nil)
		if err != nil {
			return err
		}
		_, err = r.CancelTask(ctx, &a2a.CancelTaskRequest{ID: task.ID})
		return expectError(err, a2a.ErrTaskNotCancelable)
	}},
	{"error-subscribe-to-ended", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		if isLegacy {
			return skip("A2A 0.3 does not say what happens")
		}
		task, err := r.task(ctx, "echo hello", nil)
		if err != nil {
			return err
		}
		_, err = collect(r.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: task.ID}))
		return expectError(err, a2a.ErrUnsupportedOperation)
	}},
	{"error-message-to-ended", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		task, err := r.task(ctx, "echo hello", nil)
		if err != nil {
			return err
		}
		_, err = r.SendMessage(ctx, request("echo again", to(task)))
		return expectError(err, a2a.ErrUnsupportedOperation)
	}},
	{"error-content-type", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		_, err := r.SendMessage(ctx, request("mirror", func(req *a2a.SendMessageRequest) {
			part := a2a.NewRawPart([]byte("-"))
			part.MediaType = "audio/ogg"
			req.Message.Parts = append(req.Message.Parts, part)
		}))
		return expectError(err, a2a.ErrUnsupportedContentType)
	}},
	{"error-no-extended-card", func(ctx context.Context, r runner, _ *a2a.AgentCard) error {
		_, err := r.GetExtendedAgentCard(ctx, &a2a.GetExtendedAgentCardRequest{})
		if err == nil {
			return skip("the client returns the public card without a request if none is declared")
		}
		return expectError(err, a2a.ErrUnsupportedOperation, a2a.ErrExtendedCardNotConfigured)
	}},
	{"extended-card", func(ctx context.Context, _ runner, _ *a2a.AgentCard) error {
		client, _, err := open(ctx, securedURL, a2aclient.WithCallInterceptors(bearer{}))
		if err != nil {
			return err
		}
		card, err := client.GetExtendedAgentCard(ctx, &a2a.GetExtendedAgentCardRequest{})
		if err != nil {
			return err
		}
		var skills []string
		for _, each := range card.Skills {
			skills = append(skills, each.ID)
		}
		return equal("skills", skills, []string{"echo", "secret"})
	}},
	{"unauthenticated", func(ctx context.Context, _ runner, _ *a2a.AgentCard) error {
		client, _, err := open(ctx, securedURL)
		if err != nil {
			return err
		}
		_, err = client.GetTask(ctx, &a2a.GetTaskRequest{ID: a2a.NewTaskID()})
		if err != nil && (errors.Is(err, a2a.ErrUnauthenticated) || strings.Contains(err.Error(), "401") || strings.Contains(err.Error(), "Authentication required")) {
			return nil
		}
		return fmt.Errorf("another error: %v", err)
	}},
}

func main() {
	output := json.NewEncoder(os.Stdout)
	client, card, err := open(context.Background(), baseURL)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, each := range tests {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		err := each.safely(ctx, runner{client}, card)
		cancel()
		line := map[string]any{"case": each.name, "ok": err == nil, "detail": ""}
		if err != nil {
			line["detail"] = fmt.Sprintf("%.400s", strings.Join(strings.Fields(err.Error()), " "))
			var missing skip
			if errors.As(err, &missing) {
				line["skipped"] = true
			}
		}
		_ = output.Encode(line)
	}
}

// safely turns a panic over an answer of an unexpected shape into an error.
func (t test) safely(ctx context.Context, r runner, card *a2a.AgentCard) (err error) {
	defer func() {
		if found := recover(); found != nil {
			err = fmt.Errorf("unexpected answer: %v", found)
		}
	}()
	return t.run(ctx, r, card)
}
