/** Why a turn's signal fired. */
export type TurnAbortReason = 'canceled' | 'stopped' | 'lost';

export class TurnAborted extends Error {
  override readonly name = 'TurnAborted';
  readonly reason: TurnAbortReason;

  constructor(reason: TurnAbortReason) {
    super(`The turn was ${reason}.`);
    this.reason = reason;
  }
}
