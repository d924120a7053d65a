// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Custody} from "./Custody.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {Account, Accounts, Escrow, Escrows, EscrowState} from "./Records.sol";

/// @title How depositors leave when the operator is gone.
/// @notice After 7 days without a batch anyone who has Tokens here may take them out. The first who does ends the
/// stream: the journal knows nothing of an exit, so the two can't go on together.
abstract contract Exit is Custody {
    using Accounts for Account;
    using Escrows for Escrow;

    /// @notice Silence after which the exit opens, seconds.
    uint256 public constant EXIT_AFTER = 7 days;
    /// @notice How long after the end an escrow that has not expired is left to its parties, seconds.
    uint256 public constant ESCROW_GRACE = 30 days;

    IdentityRegistry public immutable registry;

    event Closed(uint256 silentSince);
    event AccountExited(bytes32 indexed account, address indexed receiver, uint256 amount);
    event DepositReturned(uint256 indexed ref, address indexed sender, uint256 amount);
    event EscrowEnded(bytes32 indexed escrow, EscrowState state, uint256 amount);

    error OperatorNotSilent(uint256 opensAt);
    error NotDepositSender(uint256 ref, address caller);
    error NothingToExit(bytes32 account, address caller);
    error NotController(bytes32 account, address caller);
    error EscrowStillOpen(bytes32 escrow, uint256 endsAt);

    constructor(IdentityRegistry registry_) {
        registry = registry_;
    }

    /// @dev Only a call that succeeds closes the vault; until then the operator may come back.
    modifier onceSilent() {
        if (_outside.closedAt == 0) {
            uint256 since = _silentSince();
            require(block.timestamp > since + EXIT_AFTER, OperatorNotSilent(since + EXIT_AFTER));
            _outside.closedAt = uint40(block.timestamp);
            emit Closed(since);
        }
        _;
    }

    /// @dev Block time of the last batch, seconds.
    function _silentSince() internal view virtual returns (uint256);

    /// @notice Pays an account's available Tokens out. Its controller may ask; where the registry names none, an
    /// address that has deposited into the account, for at most what it has put in.
    function exitAccount(bytes32 account, address receiver) external nonReentrant onceSilent {
        Account found = _accounts[account];
        require(!found.frozen(), AccountFrozen(0, account));
        uint256 amount = found.available();
        address controller = _controllerOf(account);
        if (controller == address(0)) {
            uint256 put = contributed[account][msg.sender];
            if (put < amount) amount = put;
            contributed[account][msg.sender] = put - amount;
        } else {
            require(msg.sender == controller, NotController(account, msg.sender));
        }
        require(amount != 0, NothingToExit(account, msg.sender));
        _accounts[account] = found.take(amount, 1);
        _books.owed -= uint64(amount);
        emit AccountExited(account, receiver, amount);
        token.transfer(receiver, amount);
    }

    /// @notice Pays a deposit that no operation took back to its sender.
    function exitDeposit(uint256 ref) external nonReentrant onceSilent {
        Deposit memory found = _deposits[ref];
        require(found.sender == msg.sender, NotDepositSender(ref, msg.sender));
        delete _deposits[ref];
        _outside.waiting -= found.amount;
        emit DepositReturned(ref, msg.sender, found.amount);
        token.transfer(msg.sender, found.amount);
    }

    /// @notice Gives what an escrow holds back to its depositor's account, which can then exit: at once where it was
    /// not funded yet or the beneficiary's controller asks; else, by anyone, once it expired or 30 days after the end.
    function returnEscrow(bytes32 escrow, bytes32 depositor, bytes32 beneficiary) external nonReentrant onceSilent {
        Escrow found = _open(escrow, depositor, beneficiary);
        bool funded = found.state() == EscrowState.Funded;
        if (funded && _controllerOf(beneficiary) != msg.sender) {
            uint256 endsAt = _outside.closedAt + ESCROW_GRACE;
            uint256 expiry = (found.expiry() + 999) / 1000;
            if (expiry != 0 && expiry < endsAt) endsAt = expiry;
            require(block.timestamp >= endsAt, EscrowStillOpen(escrow, endsAt));
        }
        uint256 amount = found.remaining();
        EscrowState state = funded ? EscrowState.Refunded : EscrowState.Cancelled;
        _escrows[escrow] = found.take(amount, state);
        uint256 unit = funded ? Accounts.ESCROWED : Accounts.RESERVED;
        _accounts[depositor] = _accounts[depositor].take(amount, unit).add(amount, 1);
        emit EscrowEnded(escrow, state, amount);
    }

    /// @notice The depositor's controller leaves what a funded escrow holds to the beneficiary, who can then exit.
    function releaseEscrow(bytes32 escrow, bytes32 depositor, bytes32 beneficiary) external nonReentrant onceSilent {
        Escrow found = _open(escrow, depositor, beneficiary);
        require(found.state() == EscrowState.Funded, WrongEscrowState(0, escrow, found.state()));
        require(_controllerOf(depositor) == msg.sender, NotController(depositor, msg.sender));
        uint256 amount = found.remaining();
        _escrows[escrow] = found.take(amount, EscrowState.Released);
        _accounts[depositor] = _accounts[depositor].take(amount, Accounts.ESCROWED);
        _accounts[beneficiary] = _accounts[beneficiary].add(amount, 1);
        emit EscrowEnded(escrow, EscrowState.Released, amount);
    }

    /// @dev An escrow that holds something, of these two.
    function _open(bytes32 escrow, bytes32 depositor, bytes32 beneficiary) private view returns (Escrow found) {
        found = _escrows[escrow];
        EscrowState state = found.state();
        require(state == EscrowState.Reserved || state == EscrowState.Funded, WrongEscrowState(0, escrow, state));
        require(_accounts[depositor].index() == found.from(), WrongEscrowParty(0, escrow, depositor));
        require(_accounts[beneficiary].index() == found.to(), WrongEscrowParty(0, escrow, beneficiary));
    }

    function _controllerOf(bytes32 account) private view returns (address) {
        return registry.controllerOf(keccak256(abi.encode(account)));
    }
}
