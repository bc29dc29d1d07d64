/** Topic that is notified after events of an application got their log positions. */
export const eventsTopic = (applicationId: string): string => `events/${applicationId}`

/** Topic that is notified after events of any application got their log positions. */
export const LOG_TOPIC = 'log'
