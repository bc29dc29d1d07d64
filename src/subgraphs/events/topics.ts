/** Rung after entries of an application got their positions in the log. */
export const eventsTopic = (applicationId: string): string => `events/${applicationId}`
