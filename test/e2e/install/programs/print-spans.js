// node --import ./print-spans.js …: a program's own OpenTelemetry SDK, which prints the spans that reach it.
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const printer = {
  export(spans, done) {
    for (const { name } of spans) console.log(`span: ${name}`);
    done({ code: 0 });
  },
  async shutdown() {},
};

trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(printer)] }),
);
