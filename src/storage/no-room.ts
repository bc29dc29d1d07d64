/** Codes of MySQL, MariaDB and SQLite for a disk or a table without room. */
const NO_ROOM = /^(?:ER_DISK_FULL|ER_DISK_FULL_NOWAIT|EE_DISK_FULL|ER_RECORD_FILE_FULL|SQLITE_FULL)$/

/**
 * Errors of MySQL and MariaDB whose cause is in their text: a file cannot be created (1, 1004, 1005) or written (3,
 * 1026), or the storage engine failed (1030).
 */
const FILE_ERRORS: ReadonlySet<unknown> = new Set([1, 3, 1004, 1005, 1026, 1030])
/** Matches the errors of the operating system for a full disk (28, ENOSPC) and a used quota (122, EDQUOT). */
const OS_NO_ROOM = /\b(?:errno|Errcode|Got error):? (?:28|122)\b/

/** Whether an error means that a disk or a table of the database has no room, also for temporary files. */
export function hasNoRoom(error: unknown): boolean {
  const { code, errno, message } = (error ?? {}) as { code?: unknown; errno?: unknown; message?: unknown }
  return NO_ROOM.test(String(code)) || (FILE_ERRORS.has(errno) && OS_NO_ROOM.test(String(message)))
}
