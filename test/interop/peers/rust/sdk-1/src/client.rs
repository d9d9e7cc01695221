//! A client of the official Rust SDK. Its messages are checked as JSON, which its types serialize to.
use std::{env, future::Future, sync::Arc, time::Duration};

use a2a::{A2AError, AgentCard, error_code};
use a2a_client::agent_card::AgentCardResolver;
use a2a_client::middleware::CallInterceptor;
use a2a_client::{A2AClient, A2AClientFactory, ServiceParams, Transport};
use a2a_grpc::GrpcTransportFactory;
use futures::StreamExt;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

const TIMEOUT: Duration = Duration::from_secs(30);
const PUSH_TOKEN: &str = "token-of-the-lab";

type Client = A2AClient<Box<dyn Transport>>;
type Outcome<T = ()> = Result<T, Failure>;

enum Failure {
    Failed(String),
    /// What the SDK does not have.
    Missing(&'static str),
}

impl From<A2AError> for Failure {
    fn from(error: A2AError) -> Self {
        Failure::Failed(format!("{} {}", error.code, error.message))
    }
}

/// Adds the key to every request.
struct Bearer(String);

#[async_trait::async_trait]
impl CallInterceptor for Bearer {
    async fn before(&self, _method: &str, params: &mut ServiceParams) -> Result<(), A2AError> {
        params.insert("Authorization".into(), vec![format!("Bearer {}", self.0)]);
        Ok(())
    }
}

struct Lab {
    client: Client,
    card: AgentCard,
    binding: String,
    webhook: String,
    secured: String,
    key: String,
}

/// Default discovery: the resolver is given the base URL.
async fn open(url: &str, binding: &str, key: Option<&str>) -> Outcome<(Client, AgentCard)> {
    let card = AgentCardResolver::new(None).resolve(url).await?;
    let mut chosen = card.clone();
    chosen
        .supported_interfaces
        .retain(|each| each.protocol_binding == binding && each.protocol_version.starts_with("1.0"));
    let mut builder = A2AClientFactory::builder().register(Arc::new(GrpcTransportFactory::new()));
    if let Some(key) = key {
        builder = builder.with_interceptor(Arc::new(Bearer(key.into())));
    }
    Ok((builder.build().create_from_card(&chosen).await?, card))
}

fn from<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("a request")
}

fn as_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("an answer")
}

fn equal(what: &str, found: impl Into<Value>, expected: impl Into<Value>) -> Outcome {
    let (found, expected) = (found.into(), expected.into());
    check(found == expected, format!("{what}: expected {expected}, found {found}"))
}

fn check(ok: bool, problem: impl Into<String>) -> Outcome {
    if ok { Ok(()) } else { Err(Failure::Failed(problem.into())) }
}

fn expect_error<T>(result: Result<T, A2AError>, codes: &[i32]) -> Outcome {
    match result {
        Ok(_) => check(false, "expected an error, found an answer"),
        Err(error) => check(
            codes.contains(&error.code),
            format!("another error: {} {}", error.code, error.message),
        ),
    }
}

/// A request to send a text, with more fields of the message and the configuration.
fn request(text: &str, message: Value, configuration: Value) -> Value {
    let mut all = json!({"messageId": a2a::new_message_id(), "role": "ROLE_USER", "parts": [{"text": text}]});
    for (name, value) in message.as_object().expect("fields") {
        all[name] = value.clone();
    }
    json!({"message": all, "configuration": configuration})
}

impl Lab {
    async fn send(&self, request: Value) -> Outcome<Value> {
        Ok(as_json(&self.client.send_message(&from(request)).await?))
    }

    async fn task(&self, text: &str) -> Outcome<Value> {
        Ok(self.send(request(text, json!({}), json!({}))).await?["task"].take())
    }

    async fn slow(&self) -> Outcome<Value> {
        let immediately = json!({"returnImmediately": true});
        Ok(self.send(request("slow", json!({}), immediately)).await?["task"].take())
    }

    async fn cancel_task(&self, task: &Value) -> Result<Value, A2AError> {
        let canceled = self.client.cancel_task(&from(json!({"id": task["id"]}))).await?;
        Ok(as_json(&canceled))
    }

    async fn stream_of(&self, text: &str) -> Outcome<Vec<Value>> {
        let sent = from(request(text, json!({}), json!({})));
        let mut events = self.client.send_streaming_message(&sent).await?;
        let mut all = vec![];
        while let Some(event) = events.next().await {
            all.push(as_json(&event?));
        }
        Ok(all)
    }

    async fn run(&self, case: &str) -> Outcome {
        match case {
            "card" => {
                let card = as_json(&self.card);
                equal("name", card["name"].clone(), "Interoperability agent")?;
                equal("streaming", card["capabilities"]["streaming"].clone(), true)?;
                equal("push notifications", card["capabilities"]["pushNotifications"].clone(), true)?;
                equal("skill", card["skills"][0]["id"].clone(), "echo")
            }
            "send" => {
                let task = self.task("echo hello").await?;
                equal("state", task["status"]["state"].clone(), "TASK_STATE_COMPLETED")?;
                equal("artifact", task["artifacts"][0]["parts"][0]["text"].clone(), "hello")
            }
            "message" => {
                let answer = self.send(request("message hello", json!({}), json!({}))).await?;
                equal("message", answer["message"]["parts"][0]["text"].clone(), "hello")
            }
            "nonblocking" => {
                let task = self.slow().await?;
                self.cancel_task(&task).await?;
                let state = task["status"]["state"].as_str().unwrap_or_default();
                check(matches!(state, "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING"), state)
            }
            "stream" => {
                let events = self.stream_of("stream").await?;
                let updates: Vec<&Value> =
                    events.iter().map(|each| &each["artifactUpdate"]).filter(|each| each.is_object()).collect();
                let chunks: Vec<Value> =
                    updates.iter().map(|each| each["artifact"]["parts"][0]["text"].clone()).collect();
                let flag = |each: &Value, name: &str| each[name].as_bool().unwrap_or_default();
                let flags: Vec<bool> =
                    updates.iter().flat_map(|each| [flag(each, "append"), flag(each, "lastChunk")]).collect();
                check(events[0]["task"].is_object(), "the first event is no task")?;
                equal("chunks", chunks, json!(["one ", "two ", "three"]))?;
                equal("append and last chunk", flags, json!([false, false, true, false, true, true]))?;
                equal("last state", last_state(&events), "TASK_STATE_COMPLETED")
            }
            "get" => {
                let id = self.task("echo hello").await?["id"].take();
                let whole = as_json(&self.client.get_task(&from(json!({"id": id}))).await?);
                equal("artifact", whole["artifacts"][0]["parts"][0]["text"].clone(), "hello")?;
                check(length(&whole["history"]) > 0, "the history is empty")?;
                let short = from(json!({"id": id, "historyLength": 0}));
                let short = as_json(&self.client.get_task(&short).await?);
                equal("length of the history", length(&short["history"]), 0)
            }
            "list" => {
                let first = self.task("echo one").await?;
                let context = json!({"contextId": first["contextId"]});
                self.send(request("echo two", context.clone(), json!({}))).await?;
                let ask = from(json!({"contextId": first["contextId"], "pageSize": 1}));
                let page = self.client.list_tasks(&ask).await?;
                let rest = from(json!({
                    "contextId": first["contextId"], "pageSize": 1,
                    "pageToken": page.next_page_token, "includeArtifacts": true,
                }));
                let rest = as_json(&self.client.list_tasks(&rest).await?);
                equal("page", json!([page.tasks.len(), page.total_size]), json!([1, 2]))?;
                equal("second page", rest["tasks"][0]["artifacts"][0]["parts"][0]["text"].clone(), "one")
            }
            "ask" => {
                let asked = self.task("ask").await?;
                equal("state", asked["status"]["state"].clone(), "TASK_STATE_INPUT_REQUIRED")?;
                equal("question", asked["status"]["message"]["parts"][0]["text"].clone(), "Which colour?")?;
                let to = json!({"taskId": asked["id"], "contextId": asked["contextId"]});
                let answered = self.send(request("blue", to, json!({}))).await?["task"].take();
                equal("task", answered["id"].clone(), asked["id"].clone())?;
                equal("state", answered["status"]["state"].clone(), "TASK_STATE_COMPLETED")?;
                equal("artifact", answered["artifacts"][0]["parts"][0]["text"].clone(), "you said blue")
            }
            "ask-stream" => {
                let events = self.stream_of("ask").await?;
                equal("last state", last_state(&events), "TASK_STATE_INPUT_REQUIRED")
            }
            "fail" => {
                let task = self.task("fail").await?;
                equal("state", task["status"]["state"].clone(), "TASK_STATE_FAILED")?;
                let reason = task["status"]["message"]["parts"][0]["text"].clone();
                equal("reason", reason, "failed on purpose")
            }
            "cancel" => {
                let task = self.slow().await?;
                let canceled = self.cancel_task(&task).await?;
                equal("state", canceled["status"]["state"].clone(), "TASK_STATE_CANCELED")
            }
            "subscribe" => {
                let task = self.slow().await?;
                let to = from(json!({"id": task["id"]}));
                let mut stream = self.client.subscribe_to_task(&to).await?;
                let mut events = vec![];
                while let Some(event) = stream.next().await {
                    if events.is_empty() {
                        self.cancel_task(&task).await?;
                    }
                    events.push(as_json(&event?));
                }
                check(!events.is_empty(), "no event came")?;
                check(events[0]["task"].is_object(), "the first event is no task")?;
                equal("last state", last_state(&events), "TASK_STATE_CANCELED")
            }
            "receive-file" => {
                let mut task = self.task("file").await?;
                let parts = task["artifacts"][0]["parts"].take();
                let file = json!([parts[0]["raw"], parts[0]["filename"], parts[0]["mediaType"]]);
                equal("file", file, json!(["aGVsbG8sIGZpbGU=", "hello.txt", "text/plain"]))?;
                let link = json!([parts[1]["url"], parts[1]["filename"]]);
                equal("link", link, json!(["https://example.com/report.pdf", "report.pdf"]))?;
                equal("data", parts[2]["data"]["answer"].as_f64(), 42.0)
            }
            "send-file" => {
                let mut sent: a2a::SendMessageRequest = from(request("mirror", json!({}), json!({})));
                let content: Vec<u8> = (0..=255).collect();
                sent.message.parts.push(
                    a2a::Part::raw(content)
                        .with_filename("bytes.bin")
                        .with_media_type("application/octet-stream"),
                );
                let expected = as_json(&sent.message.parts[1]);
                let answer = as_json(&self.client.send_message(&sent).await?);
                equal("file", answer["task"]["artifacts"][0]["parts"][0].clone(), expected)
            }
            "push-config" => {
                let id = self.task("echo hello").await?["id"].take();
                let url = format!("{}/unused", self.webhook);
                let config = from(json!({"taskId": id, "id": "one", "url": url, "token": PUSH_TOKEN}));
                let created = self.client.create_push_config(&config).await?;
                let which = json!({"taskId": id, "id": "one"});
                let read = self.client.get_push_config(&from(which.clone())).await?;
                let listed = self.client.list_push_configs(&from(json!({"taskId": id}))).await?;
                self.client.delete_push_config(&from(which.clone())).await?;
                let again = self.client.get_push_config(&from(which)).await;
                equal("created", json!([created.task_id, created.id]), json!([id, "one"]))?;
                equal("url", read.url, url)?;
                equal("length of the list", listed.configs.len(), 1)?;
                check(again.is_err(), "the deleted configuration is still there")
            }
            "push-delivery" => {
                let url = format!("{}/{}", self.webhook, a2a::new_message_id());
                let push = json!({"taskPushNotificationConfig": {"url": url, "token": PUSH_TOKEN}});
                self.send(request("echo hello", json!({}), push)).await?;
                let failed = |error: reqwest::Error| Failure::Failed(error.to_string());
                let text = reqwest::get(&url).await.map_err(failed)?.text().await.map_err(failed)?;
                equal("notification", text, json!({"token": PUSH_TOKEN}).to_string())
            }
            "error-task-not-found" => {
                let unknown = from(json!({"id": a2a::new_task_id()}));
                expect_error(self.client.get_task(&unknown).await, &[error_code::TASK_NOT_FOUND])
            }
            "error-not-cancelable" => {
                let task = self.task("echo hello").await?;
                expect_error(self.cancel_task(&task).await, &[error_code::TASK_NOT_CANCELABLE])
            }
            "error-subscribe-to-ended" => {
                let task = self.task("echo hello").await?;
                let to = from(json!({"id": task["id"]}));
                let first = match self.client.subscribe_to_task(&to).await {
                    Ok(mut events) => events.next().await.unwrap_or(Err(A2AError::new(0, "no event"))).map(|_| ()),
                    Err(error) => Err(error),
                };
                expect_error(first, &[error_code::UNSUPPORTED_OPERATION])
            }
            "error-message-to-ended" => {
                let task = self.task("echo hello").await?;
                let to = json!({"taskId": task["id"], "contextId": task["contextId"]});
                let again = from(request("echo again", to, json!({})));
                expect_error(self.client.send_message(&again).await, &[error_code::UNSUPPORTED_OPERATION])
            }
            "error-content-type" => {
                let mut sent: a2a::SendMessageRequest = from(request("mirror", json!({}), json!({})));
                sent.message.parts.push(a2a::Part::raw(vec![0]).with_media_type("audio/ogg"));
                let answer = self.client.send_message(&sent).await;
                expect_error(answer, &[error_code::CONTENT_TYPE_NOT_SUPPORTED])
            }
            "error-no-extended-card" => {
                let card = self.client.get_extended_agent_card(&from(json!({}))).await;
                let codes = [error_code::UNSUPPORTED_OPERATION, error_code::EXTENDED_CARD_NOT_CONFIGURED];
                expect_error(card, &codes)
            }
            "extended-card" => {
                let (client, _) = open(&self.secured, &self.binding, Some(&self.key)).await?;
                let card = client.get_extended_agent_card(&from(json!({}))).await?;
                let skills: Vec<&str> = card.skills.iter().map(|each| each.id.as_str()).collect();
                equal("skills", skills, json!(["echo", "secret"]))
            }
            "unauthenticated" => {
                let (client, _) = open(&self.secured, &self.binding, None).await?;
                match client.get_task(&from(json!({"id": a2a::new_task_id()}))).await {
                    Ok(_) => check(false, "expected an error, found an answer"),
                    Err(error) => {
                        let text = format!("{} {}", error.code, error.message);
                        let says = ["401", "Authentication required", "UNAUTHENTICATED", "authentication"];
                        check(says.iter().any(|each| text.contains(each)), format!("another error: {text}"))
                    }
                }
            }
            _ => Err(Failure::Missing("unknown case")),
        }
    }
}

fn length(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

fn last_state(events: &[Value]) -> Value {
    events.last().map_or(Value::Null, |event| event["statusUpdate"]["status"]["state"].clone())
}

/// Turns a panic over an answer of an unexpected shape, and a wait without an end, into a failure.
async fn safely(case: impl Future<Output = Outcome>) -> Outcome {
    let caught = std::panic::AssertUnwindSafe(case);
    match tokio::time::timeout(TIMEOUT, futures::FutureExt::catch_unwind(caught)).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => check(false, "unexpected answer"),
        Err(_) => check(false, "no answer within 30 seconds"),
    }
}

const CASES: [&str; 24] = [
    "card", "send", "message", "nonblocking", "stream", "get", "list", "ask", "ask-stream", "fail", "cancel",
    "subscribe", "receive-file", "send-file", "push-config", "push-delivery", "error-task-not-found",
    "error-not-cancelable", "error-subscribe-to-ended", "error-message-to-ended", "error-content-type",
    "error-no-extended-card", "extended-card", "unauthenticated",
];

#[tokio::main]
async fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let [base, binding, _version, webhook, secured, key] = &words[..] else {
        panic!("expected BASE_URL BINDING VERSION WEBHOOK SECURED_URL KEY");
    };
    let (client, card) = match open(base, binding, None).await {
        Ok(opened) => opened,
        Err(Failure::Failed(problem)) => panic!("{problem}"),
        Err(Failure::Missing(what)) => panic!("{what}"),
    };
    let [binding, webhook, secured, key] = [binding, webhook, secured, key].map(String::clone);
    let lab = Lab { client, card, binding, webhook, secured, key };
    for case in CASES {
        let mut line = json!({"case": case, "ok": true, "detail": ""});
        match safely(lab.run(case)).await {
            Ok(()) => {}
            Err(Failure::Failed(detail)) => {
                line["ok"] = false.into();
                line["detail"] = detail.chars().take(400).collect::<String>().into();
            }
            Err(Failure::Missing(what)) => {
                line["ok"] = false.into();
                line["skipped"] = true.into();
                line["detail"] = what.into();
            }
        }
        println!("{line}");
    }
}
