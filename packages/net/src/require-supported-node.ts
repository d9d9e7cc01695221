import { unsupportedNode } from './supported-node.ts';

/**
 * Throws when it is imported by a version of Node that Holdword does not support. The first import of the libraries that
 * programs use: without it they would fail later, with an error that does not name the cause.
 */
const problem = unsupportedNode(process.versions.node);
if (problem !== undefined) throw new Error(problem);
