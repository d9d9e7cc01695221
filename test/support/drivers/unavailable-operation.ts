/** An operation that a binding does not have. A scenario that calls it must exclude the binding. */
export function unavailable(operation: string, wire: string): () => never {
  return () => {
    throw new Error(`${wire} has no ${operation}: exclude this binding from the scenario`);
  };
}
