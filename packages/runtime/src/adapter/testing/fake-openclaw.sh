#!/bin/sh
# Replaces `openclaw agent --local --json` of version 2026.9.6: accepts its arguments and prints answers in its format.
echo "$*" >>"${FAKE_OPENCLAW_LOG:-/dev/null}"
while [ $# -gt 0 ]; do
  case "$1" in
    --message=*) message=${1#--message=} ;;
    --session-id) session=$2 && shift ;;
  esac
  shift
done
case "$message" in
  'run forever') exec sleep 600 ;;
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
