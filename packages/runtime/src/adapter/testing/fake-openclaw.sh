#!/bin/sh
# Stands for `openclaw agent --local --json` of 2026.9.6: takes its arguments and prints answers of its shape.
echo "$*" >>"${FAKE_OPENCLAW_LOG:-/dev/null}"
while [ $# -gt 0 ]; do
  case "$1" in
    --message) message=$2 && shift ;;
    --session-id) session=$2 && shift ;;
  esac
  shift
done
case "$message" in
  'go on for ever') exec sleep 600 ;;
  fail*)
    echo '{"ok":false,"error":{"type":"cli_error","message":"LLM request failed: provider rejected the request."}}'
    exit 1
    ;;
esac
cat <<END
{
  "payloads": [ { "text": "You said: $message", "mediaUrl": null } ],
  "meta": {
    "durationMs": 5,
    "agentMeta": {
      "sessionId": "$session", "provider": "fake", "model": "fake-1",
      "usage": { "input": 11, "output": 7, "total": 18 }
    },
    "aborted": false, "stopReason": "stop"
  }
}
END
