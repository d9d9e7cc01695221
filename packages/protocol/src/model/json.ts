import { z } from 'zod';

/** A JSON object whose content belongs to somebody else: metadata, structured data. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
export type JsonObject = Record<string, unknown>;
