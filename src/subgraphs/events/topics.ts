/** Rung after entries of an application got their positions in the log. */
export const eventsTopic = (applicationId: string): string => `events/${applicationId}`

/** Rung after entries of any application got their positions. */
export const LOG_TOPIC = 'log'
