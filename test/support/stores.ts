import type { Store } from '../prove/service-process.ts'

/** The databases that every behaviour suite runs on. MariaDB is left out, loudly, where the machine has none. */
export const stores: readonly Store[] = process.env['MYSQL_URL'] ? ['sqlite', 'mariadb'] : ['sqlite']
