// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev An account is one word: available, reserved, escrowed (64 bits each), its index (32, from 1), frozen (1).
type Account is uint256;

/// @dev An escrow is one word: what remains (64 bits), the indices of depositor and beneficiary (32 each), its state
/// (8), its expiry in epoch milliseconds (48, 0: none) and what it was made for (64).
type Escrow is uint256;

/// @notice Reserved and Funded hold money; the four behind them are final, and keep an id from being used twice.
enum EscrowState {
    None,
    Reserved,
    Funded,
    Released,
    Refunded,
    Expired,
    Cancelled
}

library Accounts {
    uint256 internal constant RESERVED = 1 << 64;
    uint256 internal constant ESCROWED = 1 << 128;
    uint256 internal constant INDEX = 192;
    uint256 internal constant FROZEN = 1 << 224;

    function make(uint256 index_) internal pure returns (Account) {
        return Account.wrap(index_ << INDEX);
    }

    function exists(Account self) internal pure returns (bool) {
        return Account.unwrap(self) != 0;
    }

    function available(Account self) internal pure returns (uint256) {
        return uint64(Account.unwrap(self));
    }

    function reserved(Account self) internal pure returns (uint256) {
        return uint64(Account.unwrap(self) >> 64);
    }

    function escrowed(Account self) internal pure returns (uint256) {
        return uint64(Account.unwrap(self) >> 128);
    }

    function index(Account self) internal pure returns (uint256) {
        return uint32(Account.unwrap(self) >> INDEX);
    }

    function frozen(Account self) internal pure returns (bool) {
        return Account.unwrap(self) & FROZEN != 0;
    }

    function freeze(Account self, bool on) internal pure returns (Account) {
        return Account.wrap(on ? Account.unwrap(self) | FROZEN : Account.unwrap(self) & ~FROZEN);
    }

    /// @dev No field runs over: all Tokens together are less than 2^53.
    /// @param unit 1, RESERVED or ESCROWED
    function add(Account self, uint256 amount, uint256 unit) internal pure returns (Account) {
        unchecked {
            return Account.wrap(Account.unwrap(self) + amount * unit);
        }
    }

    /// @dev The caller knows that the field holds as much.
    function take(Account self, uint256 amount, uint256 unit) internal pure returns (Account) {
        unchecked {
            return Account.wrap(Account.unwrap(self) - amount * unit);
        }
    }
}

library Escrows {
    uint256 private constant FROM = 64;
    uint256 private constant TO = 96;
    uint256 private constant STATE = 128;
    uint256 private constant EXPIRY = 136;
    uint256 private constant AMOUNT = 184;

    function make(uint256 from_, uint256 to_, uint256 amount_, uint256 expiry_) internal pure returns (Escrow) {
        return
            Escrow.wrap(
                amount_ |
                    (from_ << FROM) |
                    (to_ << TO) |
                    (uint256(EscrowState.Reserved) << STATE) |
                    (expiry_ << EXPIRY) |
                    (amount_ << AMOUNT)
            );
    }

    function remaining(Escrow self) internal pure returns (uint256) {
        return uint64(Escrow.unwrap(self));
    }

    function from(Escrow self) internal pure returns (uint256) {
        return uint32(Escrow.unwrap(self) >> FROM);
    }

    function to(Escrow self) internal pure returns (uint256) {
        return uint32(Escrow.unwrap(self) >> TO);
    }

    function state(Escrow self) internal pure returns (EscrowState) {
        return EscrowState(uint8(Escrow.unwrap(self) >> STATE));
    }

    function expiry(Escrow self) internal pure returns (uint256) {
        return uint48(Escrow.unwrap(self) >> EXPIRY);
    }

    function amount(Escrow self) internal pure returns (uint256) {
        return uint64(Escrow.unwrap(self) >> AMOUNT);
    }

    function withState(Escrow self, EscrowState state_) internal pure returns (Escrow) {
        return Escrow.wrap((Escrow.unwrap(self) & ~(uint256(0xff) << STATE)) | (uint256(state_) << STATE));
    }

    /// @dev The caller knows that as much remains. What empties it also ends it.
    function take(Escrow self, uint256 amount_, EscrowState whenEmpty) internal pure returns (Escrow taken) {
        unchecked {
            taken = Escrow.wrap(Escrow.unwrap(self) - amount_);
        }
        if (remaining(taken) == 0) taken = withState(taken, whenEmpty);
    }
}
