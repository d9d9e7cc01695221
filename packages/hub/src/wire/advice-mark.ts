/** In the metadata of an artifact with advice of the hub itself: what it says is not work that was done. */
export const ADVICE_MARK = 'urn:holdword:hub:advice';
