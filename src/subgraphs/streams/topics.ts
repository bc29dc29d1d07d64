/** Rung when a key, a session or a connection of an application has ended, and with it what was opened by it. */
export const accessTopic = (applicationId: string): string => `access/${applicationId}`
