/** An operation the wire does not have. A scenario that reaches it has chosen its wires wrongly. */
export function unavailable(operation: string, wire: string): () => never {
  return () => {
    throw new Error(`${wire} has no ${operation}: leave this wire out of the scenario`);
  };
}
