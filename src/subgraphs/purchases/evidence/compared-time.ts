/** Purchases of this time before and after one are compared with it. */
export const COMPARED_MS = 24 * 3_600_000
