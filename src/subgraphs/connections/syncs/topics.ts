/** Topic that is notified of the progress and the end of a sync. */
export const syncTopic = (syncId: string): string => `syncs/${syncId}`
