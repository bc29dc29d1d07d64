import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Collects garbage several times: a finalizer runs between two collections. */
export async function collectGarbage(): Promise<void> {
  for (let times = 0; times < 5; times++) {
    await wait(5)
    collect()
  }
}
