/** Maximum age of cached settings and secrets of an endpoint. No worker sends with older ones. */
export const MAX_SETTINGS_AGE_MS = 2000
