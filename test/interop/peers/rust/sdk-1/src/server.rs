//! A server of the official Rust SDK with the behaviours of the lab. Its events are made from JSON.
use std::{env, sync::Arc, time::Duration};

use a2a::{A2AError, StreamResponse};
use a2a_grpc::GrpcHandler;
use a2a_pb::proto::a2a_service_server::A2aServiceServer;
use a2a_server::agent_card::agent_card_router;
use a2a_server::jsonrpc::jsonrpc_router;
use a2a_server::rest::rest_router;
use a2a_server::{AgentExecutor, DefaultRequestHandler, ExecutorContext, InMemoryTaskStore, StaticAgentCard};
use futures::stream::{self, BoxStream, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const MINUTE: Duration = Duration::from_secs(60);

fn from<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("a value of the SDK")
}

struct Agent;

impl Agent {
    /// What the agent does with a message: events as JSON, and whether it works for a minute before them.
    fn react(turn: &ExecutorContext) -> (Vec<Value>, bool) {
        let message = serde_json::to_value(turn.message.as_ref().expect("a message")).expect("JSON");
        let parts = message["parts"].as_array().expect("parts").clone();
        let text: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        let others: Vec<Value> = parts.into_iter().filter(|part| !part["text"].is_string()).collect();
        let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let ids = json!({"taskId": turn.task_id, "contextId": turn.context_id});
        let said = |words: &str| {
            json!({"messageId": a2a::new_message_id(), "role": "ROLE_AGENT", "parts": [{"text": words}]})
        };
        let status = |state: &str, words: &str| {
            let mut update = ids.clone();
            update["status"] = json!({"state": state});
            if !words.is_empty() {
                update["status"]["message"] = said(words);
            }
            json!({"statusUpdate": update})
        };
        let artifact = |id: &str, parts: Value, append: bool, last: bool| {
            let mut update = ids.clone();
            update["artifact"] = json!({"artifactId": id, "name": id, "parts": parts});
            update["append"] = append.into();
            update["lastChunk"] = last.into();
            json!({"artifactUpdate": update})
        };
        if word == "message" {
            return (vec![json!({"message": said(rest)})], false);
        }
        // The SDK stores a new task, in the state submitted, before it calls the executor.
        let stored = turn.stored_task.as_ref().map(|task| &task.status.state);
        let is_answer = stored.is_some_and(|state| *state != a2a::TaskState::Submitted);
        let mut events = vec![];
        if stored.is_none() {
            events.push(json!({"task": {
                "id": turn.task_id, "contextId": turn.context_id, "history": [message],
                "status": {"state": "TASK_STATE_SUBMITTED"},
            }}));
        }
        match word {
            _ if is_answer => {
                let answer = json!([{"text": format!("you said {text}")}]);
                events.push(artifact("answer", answer, false, true));
            }
            "stream" => {
                for (index, number) in ["one ", "two ", "three"].into_iter().enumerate() {
                    events.push(artifact("numbers", json!([{"text": number}]), index > 0, index == 2));
                }
            }
            "ask" => {
                events.push(status("TASK_STATE_INPUT_REQUIRED", "Which colour?"));
                return (events, false);
            }
            "fail" => {
                events.push(status("TASK_STATE_FAILED", "failed on purpose"));
                return (events, false);
            }
            "slow" => {
                events.push(status("TASK_STATE_WORKING", ""));
                return (events, true);
            }
            "file" => {
                let files = json!([
                    {"raw": "aGVsbG8sIGZpbGU=", "filename": "hello.txt", "mediaType": "text/plain"},
                    {"url": "https://example.com/report.pdf", "filename": "report.pdf", "mediaType": "application/pdf"},
                    {"data": {"answer": 42}},
                ]);
                events.push(artifact("file", files, false, true));
            }
            "mirror" => events.push(artifact("mirror", others.into(), false, true)),
            _ => events.push(artifact("echo", json!([{"text": rest}]), false, true)),
        }
        events.push(status("TASK_STATE_COMPLETED", ""));
        (events, false)
    }
}

impl AgentExecutor for Agent {
    fn execute(&self, turn: ExecutorContext) -> BoxStream<'static, Result<StreamResponse, A2AError>> {
        let (events, is_slow) = Agent::react(&turn);
        let sent = stream::iter(events.into_iter().map(|event| Ok(from(event))));
        if !is_slow {
            return sent.boxed();
        }
        let pause = stream::once(tokio::time::sleep(MINUTE)).filter_map(|()| async { None });
        sent.chain(pause).boxed()
    }

    fn cancel(&self, turn: ExecutorContext) -> BoxStream<'static, Result<StreamResponse, A2AError>> {
        let status = json!({"state": "TASK_STATE_CANCELED"});
        let update = json!({"taskId": turn.task_id, "contextId": turn.context_id, "status": status});
        stream::iter([Ok(from(json!({"statusUpdate": update})))]).boxed()
    }
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let [port, grpc_port, binding, version] = &words[..] else {
        panic!("expected PORT GRPC_PORT BINDING VERSION");
    };
    let base = format!("http://127.0.0.1:{port}");
    let url = match binding.as_str() {
        "JSONRPC" => format!("{base}/jsonrpc"),
        "HTTP+JSON" => format!("{base}/rest"),
        _ => format!("127.0.0.1:{grpc_port}"),
    };
    let modes = json!(["text/plain", "application/octet-stream"]);
    let capabilities = json!({"streaming": true});
    let card = from(json!({
        "name": "Peer",
        "description": "An agent of the official Rust SDK.",
        "version": "1.0.0",
        "supportedInterfaces": [{"url": url, "protocolBinding": binding, "protocolVersion": version}],
        "capabilities": capabilities,
        "defaultInputModes": modes,
        "defaultOutputModes": modes,
        "skills": [{"id": "echo", "name": "Echo", "description": "Returns what you send.", "tags": ["test"]}],
    }));
    let handler = Arc::new(
        DefaultRequestHandler::new(Agent, InMemoryTaskStore::new()).with_capabilities(from(capabilities)),
    );
    let router = agent_card_router(Arc::new(StaticAgentCard::new(card)))
        .nest("/jsonrpc", jsonrpc_router(handler.clone()))
        .nest("/rest", rest_router(handler.clone()));
    let address = format!("127.0.0.1:{grpc_port}").parse().expect("an address");
    let service = A2aServiceServer::new(GrpcHandler::new(handler));
    tokio::spawn(tonic::transport::Server::builder().add_service(service).serve(address));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("a free port");
    println!("{base}");
    axum::serve(listener, router).await.expect("a server");
}
