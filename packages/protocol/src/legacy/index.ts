export {
  coreArtifactToV03,
  coreMessageToV03,
  coreStreamResponseToV03,
  coreTaskToV03,
  type V03Data,
} from './core-event-to-v03.ts';
export { coreSendToV03 } from './core-send-to-v03.ts';
export { inV03Terms, type V03Request } from './in-v03-terms.ts';
export { isFinal, withoutAbsent } from './json-fields.ts';
export { coreMessageToV03Proto, corePartToV03Proto } from './proto/core-content-to-v03-proto.ts';
export { coreSendToV03Proto } from './proto/core-send-to-v03-proto.ts';
export { v03ProtoEventToCore, v03ProtoTaskToCore } from './proto/v03-proto-answer-to-core.ts';
export { v03ProtoPartToCore } from './proto/v03-proto-part-to-core.ts';
export { corePushConfigToV03, v03PushConfigToCore } from './push-config.ts';
export { v03EventToCore, v03TaskToCore } from './v03-answer-to-core.ts';
export { v03CardToCore } from './v03-card-to-core.ts';
export type { V03Wire } from './v03-field-names.ts';
export { v03PartToCore } from './v03-part-to-core.ts';
export type {
  V03Artifact,
  V03ArtifactUpdate,
  V03DataPart,
  V03Event,
  V03FilePart,
  V03Message,
  V03Part,
  V03StatusUpdate,
  V03Task,
  V03TaskState,
  V03TaskStatus,
  V03TextPart,
} from './v03-types.ts';
