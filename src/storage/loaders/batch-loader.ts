import DataLoader from 'dataloader'
import { batches } from '../../platform/instrumentation.ts'

/** Creates a DataLoader whose batches are measured under a name. Names must be few: they become metric labels. */
export const createNamedLoader = <Key, Value, CacheKey = Key>(
  loader: string,
  read: (keys: readonly Key[]) => Promise<ArrayLike<Value | Error>>,
  options?: DataLoader.Options<Key, Value, CacheKey>,
): DataLoader<Key, Value, CacheKey> =>
  new DataLoader((keys) => batches.run({ loader, size: keys.length }, () => read(keys)), options)
