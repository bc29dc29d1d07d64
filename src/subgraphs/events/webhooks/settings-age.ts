/** No worker sends by settings or secrets of an endpoint that it read longer ago. */
export const OLDEST_SETTINGS_MS = 2000
