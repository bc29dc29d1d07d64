/** Topic that is notified when access through a key, a session or a connection of an application may have ended. */
export const accessTopic = (applicationId: string): string => `access/${applicationId}`
