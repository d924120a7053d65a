// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Operations} from "./Operations.sol";
import {Account, Accounts, Escrow, Escrows, EscrowState} from "./Records.sol";

/// @title The ledger's rules: what each operation of a stream does to accounts and escrows.
/// @dev Rules with an upper bound in time are not repeated here: entries of several processes interleave, and the
/// stream's time is their running maximum, so such a rule could refuse what was rightly committed.
abstract contract Ledger {
    using Accounts for Account;
    using Escrows for Escrow;

    uint256 internal constant SUPPLY_CAP = 2 ** 53 - 1;

    /// @dev Sums over all accounts. `owed` = available + reserved + escrowed of everybody + fees.
    struct Books {
        uint64 owed;
        uint64 fees;
        uint32 accounts;
    }

    /// @dev The books while a batch runs.
    struct Run {
        uint256 seq;
        uint256 owed;
        uint256 fees;
        uint256 accounts;
        uint256 minted;
    }

    Books internal _books;
    mapping(bytes32 account => Account) internal _accounts;
    mapping(bytes32 escrow => Escrow) internal _escrows;

    // `seq` is the number of the operation; 0 outside of the stream, at the exit.
    error InsufficientBalance(uint256 seq, bytes32 account, uint256 available, uint256 needed);
    error InsufficientFees(uint256 seq, uint256 fees, uint256 needed);
    error AccountFrozen(uint256 seq, bytes32 account);
    error SupplyExceeded(uint256 seq, uint256 owed, uint256 amount);
    error EscrowExists(uint256 seq, bytes32 escrow);
    error WrongEscrowState(uint256 seq, bytes32 escrow, EscrowState state);
    error WrongEscrowParty(uint256 seq, bytes32 escrow, bytes32 account);
    error WrongEscrowAmount(uint256 seq, bytes32 escrow, uint256 remaining, uint256 amount);
    error EscrowNotExpired(uint256 seq, bytes32 escrow, uint256 expiry, uint256 time);

    /// @dev New Tokens for the whole batch.
    function _mint(uint256 amount) internal virtual;

    /// @dev Takes a waiting deposit.
    function _takeDeposit(uint256 seq, uint256 ref, bytes32 account, uint256 amount) internal virtual;

    /// @dev Tokens leave the vault.
    function _payOut(uint256 seq, bytes32 account, address to, uint256 amount) internal virtual;

    /// @param ops whole operations of known kinds, as Settlement has made sure
    function _run(uint256 first, bytes calldata ops) internal {
        Run memory run = Run(first, _books.owed, _books.fees, _books.accounts, 0);
        uint256 pos;
        assembly ("memory-safe") {
            pos := ops.offset
        }
        uint256 end = pos + ops.length;
        while (pos < end) {
            uint256 kind = Operations.kindAt(pos);
            if (kind == Operations.TRANSFER) _transfer(run, pos);
            else if (kind < Operations.COLLECT && kind > Operations.TRANSFER) _escrow(run, kind, pos);
            else _other(run, kind, pos);
            unchecked {
                pos += Operations.lengthOf(kind);
                run.seq++;
            }
        }
        _books = Books(uint64(run.owed), uint64(run.fees), uint32(run.accounts));
        _mintSoFar(run);
    }

    /// @dev Before the end only for a withdrawal: it may pay out what its own batch has minted.
    function _mintSoFar(Run memory run) private {
        uint256 minted = run.minted;
        if (minted == 0) return;
        run.minted = 0;
        _mint(minted);
    }

    function _transfer(Run memory run, uint256 pos) private {
        uint256 amount = Operations.amountAt(pos, Operations.BODY + 64);
        uint256 fee = Operations.amountAt(pos, Operations.BODY + 72);
        _debit(run, Operations.wordAt(pos, Operations.BODY), amount + fee);
        _credit(run, Operations.wordAt(pos, Operations.BODY + 32), amount);
        if (fee > 0) run.fees += fee;
    }

    function _other(Run memory run, uint256 kind, uint256 pos) private {
        bytes32 account = Operations.wordAt(pos, Operations.BODY);
        uint256 amount = Operations.amountAt(pos, Operations.BODY + 32);
        if (kind == Operations.MINT) {
            require(run.owed + amount <= SUPPLY_CAP, SupplyExceeded(run.seq, run.owed, amount));
            run.owed += amount;
            run.minted += amount;
            _credit(run, account, amount);
        } else if (kind == Operations.COLLECT) {
            require(amount <= run.fees, InsufficientFees(run.seq, run.fees, amount));
            run.fees -= amount;
            _credit(run, account, amount);
        } else if (kind == Operations.DEPOSIT) {
            _takeDeposit(run.seq, Operations.amountAt(pos, Operations.BODY + 40), account, amount);
            run.owed += amount;
            _credit(run, account, amount);
        } else if (kind == Operations.WITHDRAW) {
            amount = Operations.amountAt(pos, Operations.BODY + 52);
            uint256 fee = Operations.amountAt(pos, Operations.BODY + 60);
            _debit(run, account, amount + fee);
            run.fees += fee;
            run.owed -= amount;
            _mintSoFar(run);
            _payOut(run.seq, account, Operations.addressAt(pos, Operations.BODY + 32), amount);
        } else {
            _accounts[account] = _opened(run, account).freeze(kind == Operations.FREEZE);
        }
    }

    function _escrow(Run memory run, uint256 kind, uint256 pos) private {
        bytes32 id = Operations.wordAt(pos, Operations.BODY);
        bytes32 from = Operations.wordAt(pos, Operations.BODY + 32);
        bool namesTwo = kind == Operations.RESERVE || kind == Operations.RELEASE;
        uint256 amount = Operations.amountAt(pos, Operations.BODY + (namesTwo ? 96 : 64));
        Escrow escrow = _escrows[id];
        if (kind == Operations.RESERVE) {
            require(Escrow.unwrap(escrow) == 0, EscrowExists(run.seq, id));
            _reserve(run, pos, id, from, amount);
            return;
        }
        bool unfunded = kind == Operations.UNRESERVE || kind == Operations.LOCK;
        EscrowState state = escrow.state();
        require(
            state == (unfunded ? EscrowState.Reserved : EscrowState.Funded),
            WrongEscrowState(run.seq, id, state)
        );
        Account depositor = _accounts[from];
        require(depositor.index() == escrow.from(), WrongEscrowParty(run.seq, id, from));
        uint256 remaining = escrow.remaining();
        bool whole = unfunded || kind == Operations.EXPIRE;
        require(whole ? amount == remaining : amount <= remaining, WrongEscrowAmount(run.seq, id, remaining, amount));
        // What an escrow holds is part of what its depositor has reserved or escrowed, so taking it can't run under.
        if (kind == Operations.LOCK) {
            _escrows[id] = escrow.withState(EscrowState.Funded);
            _accounts[from] = depositor.take(amount, Accounts.RESERVED).add(amount, Accounts.ESCROWED);
        } else if (kind == Operations.UNRESERVE) {
            _escrows[id] = escrow.take(amount, EscrowState.Cancelled);
            _accounts[from] = depositor.take(amount, Accounts.RESERVED).add(amount, 1);
        } else if (kind == Operations.RELEASE) {
            _escrows[id] = escrow.take(amount, EscrowState.Released);
            _accounts[from] = depositor.take(amount, Accounts.ESCROWED);
            bytes32 to = Operations.wordAt(pos, Operations.BODY + 64);
            Account beneficiary = _accounts[to];
            require(beneficiary.index() == escrow.to(), WrongEscrowParty(run.seq, id, to));
            _accounts[to] = beneficiary.add(amount, 1);
        } else {
            if (kind == Operations.EXPIRE) _requireExpired(run.seq, id, escrow, Operations.timeAt(pos));
            _escrows[id] = escrow.take(amount, kind == Operations.EXPIRE ? EscrowState.Expired : EscrowState.Refunded);
            _accounts[from] = depositor.take(amount, Accounts.ESCROWED).add(amount, 1);
        }
    }

    function _reserve(Run memory run, uint256 pos, bytes32 id, bytes32 from, uint256 amount) private {
        bytes32 to = Operations.wordAt(pos, Operations.BODY + 64);
        _debit(run, from, amount);
        Account depositor = _accounts[from].add(amount, Accounts.RESERVED);
        _accounts[from] = depositor;
        Account beneficiary = _opened(run, to);
        _accounts[to] = beneficiary;
        uint256 expiry = Operations.timeAt(pos + Operations.BODY + 103);
        _escrows[id] = Escrows.make(depositor.index(), beneficiary.index(), amount, expiry);
    }

    function _requireExpired(uint256 seq, bytes32 id, Escrow escrow, uint256 time) private pure {
        uint256 expiry = escrow.expiry();
        require(expiry != 0 && time >= expiry, EscrowNotExpired(seq, id, expiry, time));
    }

    function _debit(Run memory run, bytes32 id, uint256 amount) private {
        Account account = _accounts[id];
        require(!account.frozen(), AccountFrozen(run.seq, id));
        uint256 available = account.available();
        require(amount <= available, InsufficientBalance(run.seq, id, available, amount));
        _accounts[id] = account.take(amount, 1);
    }

    function _credit(Run memory run, bytes32 id, uint256 amount) private {
        _accounts[id] = _opened(run, id).add(amount, 1);
    }

    /// @dev The account, with its index from its first operation on. The caller stores it.
    function _opened(Run memory run, bytes32 id) private view returns (Account account) {
        account = _accounts[id];
        if (!account.exists()) account = Accounts.make(++run.accounts);
    }
}
