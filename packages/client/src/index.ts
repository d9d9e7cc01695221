// The public API of @parley/client: an explicit list, so that nothing becomes public by accident.
export {};
