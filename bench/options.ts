export interface BenchOptions {
  rounds: number;
  /** The minimum load time of a peer per round. */
  seconds: number;
  connections: number;
  /** Use small numbers: checks that the bench works, not the speed. */
  quick: boolean;
  /** A folder on a real disk for the data of all peers; the caller deletes it. */
  dataFolder: string;
  /** Where to write a picture of the measurement, if one was asked for. */
  plotFile?: string | undefined;
  /** Reports progress to people. */
  progress: (line: string) => void;
}
