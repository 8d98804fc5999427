// SPDX-License-Identifier: Apache-2.0
import { Profile as Handle, ProfileFields } from '..';

/** What users of the `pprof` package call of its `pprof/proto/profile`. The bytes are not compressed. */
export namespace perftools {
  namespace profiles {
    const Profile: {
      encode(profile: Handle | Partial<ProfileFields>): { finish(): Uint8Array };
      decode(bytes: Uint8Array): ProfileFields;
      create(fields?: Partial<ProfileFields>): Partial<ProfileFields>;
    };
  }
}
