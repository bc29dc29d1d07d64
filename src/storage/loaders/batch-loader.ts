import DataLoader from 'dataloader'
import { batches } from '../../platform/instrumentation.ts'

/** Creates a DataLoader whose batches are measured under a name. Use few names, because they become metric labels. */
export const createNamedLoader = <Key, Value, CacheKey = Key>(
  name: string,
  read: (keys: readonly Key[]) => Promise<ArrayLike<Value | Error>>,
  options?: DataLoader.Options<Key, Value, CacheKey>,
): DataLoader<Key, Value, CacheKey> =>
  new DataLoader((keys) => batches.run({ loader: name, size: keys.length }, () => read(keys)), options)
