/** Topic for notifications about the progress and the end of a sync. */
export const syncTopic = (syncId: string): string => `syncs/${syncId}`
