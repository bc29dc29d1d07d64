/** Topic that is notified after locations of an application were stored. */
export const locationsTopic = (applicationId: string): string => `locations/${applicationId}`
