/** The metadata of a message that lists the agents it has passed through, so that loops of agents are detected. */
export const ROUTE_KEY = 'urn:holdword:a2a:route:v1';

/**
 * The global symbol under which the plugins of a process share a Map: from the key of a session to the route of the message
 * it is responding to. The plugins are loaded separately, so they can only share data through a global.
 */
export const SESSION_ROUTES = Symbol.for('holdword.a2a.session-routes');
