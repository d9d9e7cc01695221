/** Why a file could not be saved. The message is a clause that continues "could not be saved because". */
export class FileProblem extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'FileProblem';
  }
}
