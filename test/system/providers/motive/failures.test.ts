import { failureSuite } from '../../../support/providers/failures/failure-suite.ts'
import { motive } from '../../../support/providers/subjects/motive-subject.ts'

failureSuite(motive)
