export interface BenchOptions {
  rounds: number;
  /** How long one peer is under load in one round, at least. */
  seconds: number;
  connections: number;
  /** Smaller numbers everywhere: shows that the bench works, not how fast anything is. */
  quick: boolean;
  /** A folder on a real disk for the data of all peers; the caller removes it. */
  dataFolder: string;
  /** Tells people, not programs, what is going on. */
  progress: (line: string) => void;
}
