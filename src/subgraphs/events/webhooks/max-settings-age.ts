/** No worker sends by settings or secrets of an endpoint that it read longer ago. */
export const MAX_SETTINGS_AGE_MS = 2000
