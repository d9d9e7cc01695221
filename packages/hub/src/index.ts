export { ReliabilityFigures } from './discovery/reliability/reliability-figures.ts';
export { createHub, type Hub, type HubOptions } from './hub.ts';
export { DEFAULT_HUB_SETTINGS, type HubSettings } from './hub-settings.ts';
