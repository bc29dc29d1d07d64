import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** Permissions of the service's data: only the user who runs the service can read and write it. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/**
 * Creates a folder that only its owner may read. Missing parents get the default permissions. It does not use the
 * option `recursive` of `mkdirSync`: with it, Node 20 never returns if the system permits no folder at the path.
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
 * Creates an empty file that only its owner may read, unless it exists. An existing file is not opened, because closing
 * it would release the locks that this process has on the file, such as those of SQLite.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
