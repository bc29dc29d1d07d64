import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** Permissions of the data of the service: only its own user reads and writes them. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/**
 * Creates a folder that only its owner may read, and its parents. The `recursive` option of Node never returns
 * where the system permits no folder.
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return
  makeParents(dirname(folder))
  mkdirSync(folder, { mode: FOLDER_MODE })
}

function makeParents(folder: string): void {
  if (existsSync(folder)) return
  makeParents(dirname(folder))
  mkdirSync(folder)
}

/**
 * Creates an empty file that only its owner may read, unless it exists. A file that exists is not opened: to
 * close it would release the locks that this process has on it, such as those of SQLite.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
