/** Where the metadata of a message says which agents it has come through, so that a circle of agents comes to an end. */
export const ROUTE_KEY = 'urn:holdword:a2a:route:v1';

/**
 * The name under which plugins of one process share a Map: from the key of a session to the route of the message that it
 * answers. They are loaded apart from each other, so what they share is found by a name of the process.
 */
export const SESSION_ROUTES = Symbol.for('holdword.a2a.session-routes');
