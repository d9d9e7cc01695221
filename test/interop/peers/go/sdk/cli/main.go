// Runs the command line `a2a` of the official Go SDK as a client, one process for each request.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const timeout = 30 * time.Second

var baseURL, securedURL, key = os.Args[1], os.Args[5], os.Args[6]

type object = map[string]any

// run returns the JSON objects that the command prints.
func run(words ...string) ([]object, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	program, _ := os.Executable()
	command := exec.CommandContext(ctx, filepath.Join(filepath.Dir(program), "a2a"), append(words, "-o", "json")...)
	var failure bytes.Buffer
	command.Stderr = &failure
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s%s", err, failure.String(), output)
	}
	var found []object
	decoder := json.NewDecoder(bytes.NewReader(output))
	for decoder.More() {
		var next object
		if err := decoder.Decode(&next); err != nil {
			return found, fmt.Errorf("it printed something else than JSON: %.200s", output)
		}
		found = append(found, next)
	}
	if len(found) == 0 {
		return nil, errors.New("it printed nothing")
	}
	return found, nil
}

func at(value any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			fields, _ := value.(object)
			value = fields[step]
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

// taskOf unwraps the task of an answer.
func taskOf(answer object) object {
	if task, ok := answer["task"].(object); ok {
		return task
	}
	return answer
}

func send(words ...string) (object, error) {
	answers, err := run(append([]string{"send", baseURL}, words...)...)
	if err != nil {
		return nil, err
	}
	return taskOf(answers[len(answers)-1]), nil
}

func equal(what string, actual, expected any) error {
	if actual == expected {
		return nil
	}
	return fmt.Errorf("%s: expected %v, found %v", what, expected, actual)
}

func expectText(err error, text string) error {
	if err == nil {
		return errors.New("expected an error, found an answer")
	}
	if strings.Contains(strings.ToLower(err.Error()), text) {
		return nil
	}
	return fmt.Errorf("another error: %w", err)
}

var tests = []struct {
	name string
	run  func() error
}{
	{"card", func() error {
		answers, err := run("discover", baseURL)
		if err != nil {
			return err
		}
		return equal("name", at(answers[0], "name"), "Interoperability agent")
	}},
	{"send", func() error {
		task, err := send("echo hello")
		if err != nil {
			return err
		}
		return errors.Join(
			equal("state", at(task, "status", "state"), "TASK_STATE_COMPLETED"),
			equal("artifact", at(task, "artifacts", 0, "parts", 0, "text"), "hello"))
	}},
	{"message", func() error {
		answer, err := send("message hello")
		if err != nil {
			return err
		}
		if message, ok := answer["message"].(object); ok {
			answer = message
		}
		return equal("message", at(answer, "parts", 0, "text"), "hello")
	}},
	{"nonblocking", func() error {
		task, err := send("--immediate", "slow")
		if err != nil {
			return err
		}
		state := fmt.Sprint(at(task, "status", "state"))
		_, err = run("cancel", baseURL, fmt.Sprint(task["id"]))
		if state != "TASK_STATE_SUBMITTED" && state != "TASK_STATE_WORKING" {
			return fmt.Errorf("state: %s", state)
		}
		return err
	}},
	{"stream", func() error {
		events, err := run("send", baseURL, "--stream", "stream")
		if err != nil {
			return err
		}
		text := ""
		for _, event := range events {
			update := event
			if inner, ok := event["artifactUpdate"].(object); ok {
				update = inner
			}
			if chunk, ok := at(update, "artifact", "parts", 0, "text").(string); ok {
				text += chunk
			}
		}
		last := events[len(events)-1]
		if inner, ok := last["statusUpdate"].(object); ok {
			last = inner
		}
		return errors.Join(equal("chunks", text, "one two three"), equal("last state", at(last, "status", "state"), "TASK_STATE_COMPLETED"))
	}},
	{"get", func() error {
		task, err := send("echo hello")
		if err != nil {
			return err
		}
		answers, err := run("get", "task", baseURL, fmt.Sprint(task["id"]), "--history", "5")
		if err != nil {
			return err
		}
		whole := taskOf(answers[0])
		return errors.Join(equal("artifact", at(whole, "artifacts", 0, "parts", 0, "text"), "hello"), equal("history", at(whole, "history", 0, "role"), "ROLE_USER"))
	}},
	{"list", func() error {
		task, err := send("echo hello")
		if err != nil {
			return err
		}
		answers, err := run("list", "tasks", baseURL, "--context", fmt.Sprint(task["contextId"]), "--limit", "5")
		if err != nil {
			return err
		}
		return equal("task", at(answers[0], "tasks", 0, "id"), task["id"])
	}},
	{"ask", func() error {
		asked, err := send("ask")
		if err != nil {
			return err
		}
		if err = equal("question", at(asked, "status", "message", "parts", 0, "text"), "Which colour?"); err != nil {
			return err
		}
		answered, err := send("--task", fmt.Sprint(asked["id"]), "blue")
		if err != nil {
			return err
		}
		return errors.Join(equal("task", answered["id"], asked["id"]), equal("artifact", at(answered, "artifacts", 0, "parts", 0, "text"), "you said blue"))
	}},
	{"fail", func() error {
		task, err := send("fail")
		if err != nil {
			return err
		}
		return equal("reason", at(task, "status", "message", "parts", 0, "text"), "failed on purpose")
	}},
	{"cancel", func() error {
		task, err := send("--immediate", "slow")
		if err != nil {
			return err
		}
		answers, err := run("cancel", baseURL, fmt.Sprint(task["id"]))
		if err != nil {
			return err
		}
		return equal("state", at(taskOf(answers[0]), "status", "state"), "TASK_STATE_CANCELED")
	}},
	{"subscribe", func() error {
		task, err := send("--immediate", "slow")
		if err != nil {
			return err
		}
		time.AfterFunc(time.Second, func() { _, _ = run("cancel", baseURL, fmt.Sprint(task["id"])) })
		events, err := run("subscribe", baseURL, fmt.Sprint(task["id"]))
		if err != nil {
			return err
		}
		last := events[len(events)-1]
		if inner, ok := last["statusUpdate"].(object); ok {
			last = inner
		}
		return equal("last state", at(last, "status", "state"), "TASK_STATE_CANCELED")
	}},
	{"receive-file", func() error {
		task, err := send("file")
		if err != nil {
			return err
		}
		return errors.Join(
			equal("file", at(task, "artifacts", 0, "parts", 0, "raw"), "aGVsbG8sIGZpbGU="),
			equal("name", at(task, "artifacts", 0, "parts", 0, "filename"), "hello.txt"))
	}},
	{"send-file", func() error {
		task, err := send("--parts", `[{"text":"mirror"},{"raw":"AAECgP8=","filename":"bytes.bin","mediaType":"application/octet-stream"}]`)
		if err != nil {
			return err
		}
		return equal("file", at(task, "artifacts", 0, "parts", 0, "raw"), "AAECgP8=")
	}},
	{"error-task-not-found", func() error {
		_, err := run("get", "task", baseURL, "00000000-0000-0000-0000-000000000000")
		return expectText(err, "not found")
	}},
	{"error-not-cancelable", func() error {
		task, err := send("echo hello")
		if err != nil {
			return err
		}
		_, err = run("cancel", baseURL, fmt.Sprint(task["id"]))
		return expectText(err, "cancel")
	}},
	{"extended-card", func() error {
		answers, err := run("discover", securedURL, "--extended", "--auth", "Bearer "+key)
		if err != nil {
			return err
		}
		return equal("skill", at(answers[0], "skills", 1, "id"), "secret")
	}},
}

func main() {
	output := json.NewEncoder(os.Stdout)
	for _, each := range tests {
		err := each.run()
		line := object{"case": each.name, "ok": err == nil, "detail": ""}
		if err != nil {
			line["detail"] = fmt.Sprintf("%.400s", strings.Join(strings.Fields(err.Error()), " "))
		}
		_ = output.Encode(line)
	}
}
