/** Rung after a sync has gone on or ended. */
export const syncTopic = (syncId: string): string => `syncs/${syncId}`
