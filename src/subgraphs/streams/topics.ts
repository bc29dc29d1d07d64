/**
 * Topic that is notified when access through a key, a session or a connection of an application may have changed.
 * Gateways then drop their cached callers and close the open streams whose access has ended.
 */
export const accessTopic = (applicationId: string): string => `access/${applicationId}`
