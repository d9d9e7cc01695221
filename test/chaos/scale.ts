/** The size of the campaigns: small in every test run, full with `HOLDWORD_CHAOS=full`. */
export interface Scale {
  kills: number;
  /** After how many kills the database files are copied and verified. */
  killsBetweenCopies: number;
  resumableKills: number;
  /** Rounds in which one of two replicas is killed or paused, alternately. */
  replicaRounds: number;
  /** How often the database of two replicas is stopped or killed, alternately. */
  databaseRounds: number;
  resumedStreams: number;
  /** Restarts while streams are cut and resumed; every other one is a kill. */
  restartsDuringStreams: number;
  slowReaders: number;
  notifiedTasks: number;
  malformedRequests: number;
  malformedHubRequests: number;
  subscribers: number;
  /** Tasks that stream to them concurrently. */
  streamingTasks: number;
  /** How often a server is killed while its agents run programs that ignore SIGTERM. */
  stubbornKills: number;
  /** Kills of a host of the inbound OpenClaw plugin, in each of its two campaigns. */
  hostKills: number;
  /** Kills of a whole OpenClaw gateway, which takes long to start. */
  gatewayKills: number;
  /** Points at which the power is cut, for each store that writes files. */
  powerCuts: number;
  /** The tasks that are written meanwhile. */
  powerCutTasks: number;
  /** How often 20 agents race for one offer, on each store. */
  claimRaces: number;
  /** The text of a task that is larger than the heap of its server. */
  largeTaskMebibytes: number;
  /** How many read it at once. */
  largeTaskReaders: number;
  /** Kills, pauses and cut connections between a host and its workers, for each kind of agent. */
  connectRounds: number;
  /** The tasks that are sent meanwhile. */
  connectTasks: number;
}

const SHORT: Scale = {
  kills: 6,
  killsBetweenCopies: 1,
  resumableKills: 2,
  replicaRounds: 4,
  databaseRounds: 2,
  resumedStreams: 60,
  restartsDuringStreams: 2,
  slowReaders: 24,
  notifiedTasks: 40,
  malformedRequests: 4_000,
  malformedHubRequests: 600,
  subscribers: 200,
  streamingTasks: 10,
  stubbornKills: 1,
  hostKills: 2,
  gatewayKills: 0,
  powerCuts: 24,
  powerCutTasks: 40,
  claimRaces: 5,
  largeTaskMebibytes: 80,
  largeTaskReaders: 4,
  connectRounds: 5,
  connectTasks: 120,
};

const FULL: Scale = {
  kills: 200,
  killsBetweenCopies: 10,
  resumableKills: 40,
  replicaRounds: 50,
  databaseRounds: 10,
  resumedStreams: 1_000,
  restartsDuringStreams: 20,
  slowReaders: 40,
  notifiedTasks: 500,
  malformedRequests: 1_000_000,
  malformedHubRequests: 50_000,
  subscribers: 5_000,
  streamingTasks: 200,
  stubbornKills: 5,
  hostKills: 50,
  gatewayKills: 5,
  powerCuts: 1_000,
  powerCutTasks: 80,
  claimRaces: 200,
  largeTaskMebibytes: 600,
  largeTaskReaders: 8,
  connectRounds: 500,
  connectTasks: 10_000,
};

export const SCALE: Scale = process.env['HOLDWORD_CHAOS'] === 'full' ? FULL : SHORT;
