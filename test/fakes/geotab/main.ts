import { runFake } from '../kit/run-fake.ts'
import { geotabFake } from './fake.ts'

runFake(geotabFake)
