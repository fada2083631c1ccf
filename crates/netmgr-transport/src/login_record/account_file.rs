//! The file of an account, which its processes share.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use netmgr_types::Secret;
use ring::pbkdf2::{self, PBKDF2_HMAC_SHA256};
use ring::rand::{SecureRandom as _, SystemRandom};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::micros;
use super::rule::RecordedLogins;

/// Number of attempts to lock the file, 5 ms apart.
const LOCK_ATTEMPTS: u32 = 100;
/// Rounds of the slow hash: less than a millisecond. The file reveals little even without them.
const ROUNDS: NonZeroU32 = NonZeroU32::new(1000).expect("not 0");
/// Length of a file. Always the same, so that a file is replaced even on a full disk.
pub(super) const LENGTH: usize = 768;

/// The file of an account.
pub(super) struct AccountFile {
    pub(super) path: PathBuf,
    pub(super) password: Secret,
}

/// The contents of a file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AccountLogins {
    salt: Salt,
    pub(super) logins: RecordedLogins,
}

type Salt = [u8; 16];

impl AccountFile {
    /// Changes the logins in the locked file. `change` receives a hash of the password, and the time.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut RecordedLogins, u16, u64) -> T) -> io::Result<T> {
        let mut file = self.open()?;
        let mut attempts = 0;
        while let Err(error) = file.try_lock() {
            attempts += 1;
            if attempts == LOCK_ATTEMPTS {
                return Err(error.into());
            }
            #[expect(clippy::disallowed_methods, reason = "in a thread for work that blocks")]
            thread::sleep(Duration::from_millis(5));
        }
        let mut text = String::new();
        // A file that is no text is replaced.
        let _ = (&file).take(LENGTH as u64).read_to_string(&mut text);
        let mut contents = match serde_json::from_str(&text) {
            Ok(contents) => contents,
            Err(_) => AccountLogins::empty()?,
        };
        let credential = self.hash(&contents.salt);
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let result = change(&mut contents.logins, credential, micros(since_1970));
        let mut changed = serde_json::to_vec(&contents)?;
        changed.resize(LENGTH, b' ');
        if changed != text.as_bytes() {
            file.rewind()?;
            file.write_all(&changed)?;
        }
        Ok(result)
    }

    /// Opens the file, and creates it if necessary, for its owner only. Links are not followed.
    fn open(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut folder = DirBuilder::new();
        folder.recursive(true);
        // On Windows, the folder of the user limits access.
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;

            let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
            options.mode(0o600).custom_flags(flags.bits().cast_signed());
            std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        }
        let file = options.open(&self.path).or_else(|_| {
            if let Some(parent) = self.path.parent() {
                folder.create(parent)?;
            }
            options.open(&self.path)
        })?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::other("not a regular file")),
        }
    }

    /// 16 bits of a slow hash, which are too few to confirm a guess.
    fn hash(&self, salt: &Salt) -> u16 {
        let name = self.path.file_name().unwrap_or_default();
        let salt = [salt, name.as_encoded_bytes()].concat();
        let mut hash = Zeroizing::new([0; 32]);
        let password = self.password.expose().as_bytes();
        pbkdf2::derive(PBKDF2_HMAC_SHA256, ROUNDS, &salt, password, hash.as_mut());
        u16::from_be_bytes([hash[0], hash[1]])
    }
}

impl AccountLogins {
    fn empty() -> io::Result<Self> {
        let mut salt = Salt::default();
        SystemRandom::new()
            .fill(&mut salt)
            .map_err(|_| io::Error::other("no random bytes"))?;
        Ok(Self {
            salt,
            logins: RecordedLogins::default(),
        })
    }
}
