/**
 * URL of the service, which may have a path behind a proxy. This code is two folders below it, in
 * `assets/VERSION/`.
 */
export const BASE_URL = new URL('../../', import.meta.url)
